import { createClient } from '@gatehouse/client';
import { type Failure, failureOf } from './failure.ts';

/** What a call needs from the rest of the page; injected, so that this file has no other dependencies. */
interface Connection {
  readonly token: () => string | null;
  readonly language: () => string;
  /** Called when the service no longer accepts the token. */
  readonly onSessionEnd: (failure: Failure) => void;
}

let connection: Connection = { token: () => null, language: () => 'en', onSessionEnd: () => {} };

export function connectApi(to: Connection) {
  connection = to;
}

/** The players' API. Pages begin and end sessions themselves; here only the service ends one. */
export const api = createClient({
  language: () => connection.language(),
  session: {
    get() {
      const token = connection.token();
      return token === null ? null : { token };
    },
    set(_session, reason) {
      if (reason) connection.onSessionEnd(failureOf(reason));
    },
  },
});
