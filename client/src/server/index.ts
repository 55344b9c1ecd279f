export type { ChatRecord, GameServerRoutes, WebhookData } from '../contract/game-server.ts';
export type { Problem, RefusalCode } from '../contract/player.ts';
export { type ErrorCode, type ErrorDetails, GatehouseError } from '../error.ts';
export type { CallOptions } from '../request.ts';
export { createGameServer, type GameServer, type GameServerOptions } from './game-server.ts';
export { type GmSignature, signGmCommand, verifyGmCommand } from './gm-command.ts';
export { verifyWebhook, type WebhookEvent } from './webhook.ts';
