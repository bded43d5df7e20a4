export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Reads the size of a PNG or JPEG, so that a huge one is rejected before it is decoded.
 *
 * @throws if the bytes are neither, or end too early
 */
export function readImageHeader(image: Buffer): Size & { readonly type: 'png' | 'jpeg' } {
  if (image.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') {
    return { type: 'png', width: image.readUInt32BE(16), height: image.readUInt32BE(20) }
  }
  if (image.readUInt16BE(0) !== 0xffd8) throw new Error('it is neither PNG nor JPEG')
  return { type: 'jpeg', ...jpegSize(image) }
}

/** The size stands in the first frame header; the segments before it are skipped (ITU-T T.81, B.1 and B.2). */
function jpegSize(image: Buffer): Size {
  let at = 2
  while (!isFrameHeader(image.readUInt16BE(at))) at += 2 + image.readUInt16BE(at + 2)
  return { height: image.readUInt16BE(at + 5), width: image.readUInt16BE(at + 7) }
}

/** 0xffc0 to 0xffcf, without those of Huffman tables, JPEG extensions, and arithmetic coding. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)
}
