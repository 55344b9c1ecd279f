import { IncomingMessage } from 'node:http';
import type { RequestContext } from '../request-context.ts';

/**
 * A request whose body can be taken whole. The context is a field of the class because a property added later changes the
 * object's hidden class, and compiled code would have to be left for every request.
 */
export class BufferedRequest extends IncomingMessage {
  override context!: RequestContext;
  private taker: ((body: Buffer) => void) | undefined = undefined;
  private readonly pieces: Buffer[] = [];

  /**
   * Hands the body over once it is whole, past the readable stream, which costs a third of a small request. The caller has
   * seen to it that the body is small, and nobody may read the stream as well.
   */
  takeBody(taker: (body: Buffer) => void): void {
    this.taker = taker;
  }

  /** Called by node:http's parser with each piece of the body, and with null at its end. */
  override push(piece: Buffer | null): boolean {
    if (this.taker === undefined) return super.push(piece);
    if (piece !== null) this.pieces.push(piece);
    else {
      this.taker(this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces));
      // The request lives on until its response is out, which a client that does not read puts off.
      this.pieces.length = 0;
    }
    return true;
  }
}
