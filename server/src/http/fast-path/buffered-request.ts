import { IncomingMessage } from '../node-http.ts';
import type { RequestContext } from '../request-context.ts';

/**
 * A request whose body can be taken whole. The context is a class field: a property added later changes the object's hidden class
 * and deoptimizes every request.
 */
export class BufferedRequest extends IncomingMessage {
  override context!: RequestContext;
  private taker: ((body: Buffer) => void) | undefined = undefined;
  private readonly pieces: Buffer[] = [];

  /**
   * Hands over the complete body, bypassing the readable stream, which costs a third of a small request. The caller has checked
   * that the body is small. Nothing else may read the stream.
   */
  takeBody(taker: (body: Buffer) => void): void {
    this.taker = taker;
  }

  /** Called by node:http's parser with each chunk of the body, and with null at its end. */
  override push(piece: Buffer | null): boolean {
    if (this.taker === undefined) return super.push(piece);
    if (piece !== null) this.pieces.push(piece);
    else {
      this.taker(this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces));
      // Release the chunks now: the request lives until its response is sent, which a slow reader can delay.
      this.pieces.length = 0;
    }
    return true;
  }
}
