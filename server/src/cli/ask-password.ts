import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { say } from './language.ts';

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks twice at a terminal without showing the input. */
export async function askPassword({ input, output }: Terminal): Promise<string> {
  // Discard the line editor's output, which echoes the input.
  const nobody = new Writable({ write: (_chunk, _encoding, written) => written() });
  const lines = createInterface({ input, output: nobody, terminal: true });
  const ask = async (question: string) => {
    output.write(say(question));
    const answer = await lines.question('');
    output.write('\n');
    return answer;
  };
  try {
    const first = await ask('new password: ');
    if ((await ask('repeat the password: ')) !== first) throw new Error('the passwords do not match');
    return first;
  } finally {
    lines.close();
  }
}
