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

/** Markers between the markers of frames: Huffman tables, JPEG extensions, and arithmetic coding. */
const tables = [0xffc4, 0xffc8, 0xffcc]

/** The size stands in the first frame header; the segments before it are skipped (ITU-T T.81, B.1 and B.2). */
function jpegSize(image: Buffer): Size {
  let at = 2
  while (true) {
    const marker = image.readUInt16BE(at)
    if (marker >= 0xffc0 && marker <= 0xffcf && !tables.includes(marker)) {
      return { height: image.readUInt16BE(at + 5), width: image.readUInt16BE(at + 7) }
    }
    // 0xff before a marker is padding. Other markers have no length: a decoder could find another frame header.
    if (marker === 0xffff) at++
    else if (marker >= 0xffdb || tables.includes(marker)) at += 2 + image.readUInt16BE(at + 2)
    else throw new Error('its header is damaged')
  }
}
