/** In place of `redraw.ts` on Cloudflare Workers, which load no native code. */
export const canDraw = false

export async function redraw(): Promise<Uint8Array> {
  throw new Error('Cloudflare Workers cannot load @napi-rs/canvas')
}
