import { pipeline } from '../support/pipeline.ts';

export interface GuessRun {
  readonly url: string;
  readonly account: string;
  readonly password: string;
  readonly addresses: readonly string[];
  readonly guesses: number;
  readonly random: () => number;
  readonly onProgress?: (sent: number) => void;
}

export interface GuessResult {
  /** Wrong guesses judged, in total and for the address with the most. */
  judged: number;
  readonly mostFromOne: number;
  refused: number;
  /** Right passwords sent by the guesser after the limit must have been reached. */
  rightOnes: number;
  rightOnesJudged: number;
}

const LARGEST_BURST = 1024;
const AT_ONCE = 4;

/** Guesses one account's password from many addresses, in bursts of every size, several at a time. */
export async function guess(run: GuessRun): Promise<GuessResult> {
  const { url, account, password, addresses, guesses, random } = run;
  const result = { judged: 0, refused: 0, rightOnes: 0, rightOnesJudged: 0 };
  const judgedFrom = new Map<string, number>();
  let sent = 0;

  async function burst(): Promise<void> {
    const size = Math.min(guesses - sent, Math.ceil(LARGEST_BURST ** random()));
    sent += size;
    // The right password is sent only after the limit must have been reached.
    const mayBeRight = sent > guesses / 2;
    const posts = Array.from({ length: size }, (_, index) => {
      const isRight = mayBeRight && random() < 0.1;
      const address = addresses[Math.floor(random() * addresses.length)] ?? '';
      return { address, isRight, body: { account, password: isRight ? password : `wrong ${sent} ${index}` } };
    });
    const statuses = await pipeline(url, posts);
    for (const [index, { address, isRight }] of posts.entries()) {
      const status = statuses[index];
      if (status !== 401 && status !== 429 && status !== 200)
        throw new Error(`a guess was answered ${status}`);
      if (isRight) result.rightOnes++;
      if (isRight && status !== 429) result.rightOnesJudged++;
      else if (status === 429) result.refused++;
      else {
        result.judged++;
        judgedFrom.set(address, (judgedFrom.get(address) ?? 0) + 1);
      }
    }
    run.onProgress?.(sent);
  }

  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (sent < guesses) await burst();
    }),
  );
  return { ...result, mostFromOne: Math.max(0, ...judgedFrom.values()) };
}
