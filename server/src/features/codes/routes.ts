import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { pickLanguage } from '../../http/texts/index.ts';
import type { RequireProof } from '../../security/proof-of-work.ts';
import type { CodeSender } from './send-code.ts';

interface CodeRouteDeps {
  readonly send: CodeSender['send'];
  readonly requireProof: RequireProof;
}

export function codeRoutes(app: FastifyInstance, { send, requireProof }: CodeRouteDeps): void {
  mount(app, routes.sendCode, async ({ body, context, request }) => {
    await requireProof('send_code', context);
    const language = pickLanguage(request.headers['accept-language']);
    return send({ ...body, address: context.address, language });
  });
}
