/** One raw answer. */
export interface WireAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Parses consecutive answers on one connection; incomplete ones are buffered. */
export function answerParser(): (piece: Buffer) => WireAnswer[] {
  let waiting: Buffer = Buffer.alloc(0);

  function next(): WireAnswer | undefined {
    const end = waiting.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const head = waiting.toString('latin1', 0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const length = Number(/^content-length: (\d+)\r?$/im.exec(head)?.[1] ?? 0);
    if (Number.isNaN(status)) throw new Error(`no answer begins with ${JSON.stringify(head.slice(0, 60))}`);
    const body = waiting.subarray(end + 4, end + 4 + length);
    if (body.length < length) return undefined;
    waiting = waiting.subarray(end + 4 + length);
    return { status, head, body: body.toString() };
  }

  return (piece) => {
    waiting = waiting.length === 0 ? piece : Buffer.concat([waiting, piece]);
    const answers: WireAnswer[] = [];
    for (let answer = next(); answer !== undefined; answer = next()) answers.push(answer);
    return answers;
  };
}
