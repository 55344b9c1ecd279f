import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { pickLanguage } from '../../http/texts/index.ts';
import { type SendCodeParts, sendCode } from './send-code.ts';

export function codeRoutes(app: FastifyInstance, parts: SendCodeParts): void {
  const send = sendCode(parts);
  mount(app, routes.sendCode, ({ body, context, request }) =>
    send({ ...body, address: context.address, language: pickLanguage(request.headers['accept-language']) }),
  );
}
