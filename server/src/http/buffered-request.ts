import { IncomingMessage } from 'node:http';
import type { RequestContext } from './request-context.ts';

/**
 * A request as the gate sees it. Born with the place for its context: a property added later makes every request a
 * stranger to compiled code.
 */
export class BufferedRequest extends IncomingMessage {
  override context!: RequestContext;
  private taker: ((body: Buffer) => void) | undefined = undefined;
  private readonly pieces: Buffer[] = [];

  /**
   * Hands the body over once it is whole, past the stream that would carry it: a stream costs a third of a small request.
   * The caller has seen to it that the body is small, and nobody may read the stream as well.
   */
  takeBody(taker: (body: Buffer) => void): void {
    this.taker = taker;
  }

  /** Called by node:http's parser with each piece of the body, and with null at its end. */
  override push(piece: Buffer | null): boolean {
    if (this.taker === undefined) return super.push(piece);
    if (piece !== null) this.pieces.push(piece);
    else this.taker(this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces));
    return true;
  }
}
