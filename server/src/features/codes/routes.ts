import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { pickLanguage } from '../../http/texts/index.ts';
import type { RequireProof } from '../../security/proof-of-work.ts';
import { type SendCodeParts, sendCode } from './send-code.ts';

export interface CodeRouteParts extends SendCodeParts {
  readonly requireProof: RequireProof;
}

export function codeRoutes(app: FastifyInstance, { requireProof, ...parts }: CodeRouteParts): void {
  const send = sendCode(parts);
  mount(app, routes.sendCode, async ({ body, context, request }) => {
    await requireProof('send_code', context);
    const language = pickLanguage(request.headers['accept-language']);
    return send({ ...body, address: context.address, language });
  });
}
