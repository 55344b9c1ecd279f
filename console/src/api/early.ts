/** Answers to requests sent before the page's scripts have loaded: on a slow network they would wait for all of them. */
const answers = new Map<string, Promise<Response>>();

const TIMEOUT_MS = 30_000;

export function askEarly(path: string, language: string) {
  const answer = fetch(path, {
    headers: { accept: 'application/json', 'accept-language': language },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // Failures are handled by the consumer of the answer.
  answer.catch(() => {});
  answers.set(path, answer);
}

/** Returns an answer once; a later call needs a new request. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = answers.get(path);
  answers.delete(path);
  return answer;
}

/** Discards answers that a change, such as a login, has made obsolete. */
export const dropEarly = () => answers.clear();
