/** What was asked for before the page's scripts were there: on a slow network a question would wait for all of them. */
const answers = new Map<string, Promise<Response>>();

const TIMEOUT_MS = 30_000;

export function askEarly(path: string, language: string) {
  const answer = fetch(path, {
    headers: { accept: 'application/json', 'accept-language': language },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // A failure is for whoever takes the answer.
  answer.catch(() => {});
  answers.set(path, answer);
}

/** An answer is taken once: whoever asks again wants a new one. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = answers.get(path);
  answers.delete(path);
  return answer;
}

/** After a change, such as a login, what was answered before does not hold. */
export const dropEarly = () => answers.clear();
