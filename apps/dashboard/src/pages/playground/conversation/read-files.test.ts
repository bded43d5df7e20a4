import { beforeAll, describe, expect, test, vi } from 'vitest'
import { maxAttachedCharacters } from './conversation.ts'
import { readFiles } from './read-files.ts'

/** Node has none. */
class FileReader extends EventTarget {
  result = ''
  error = null
  async readAsDataURL(file: File) {
    this.result = `data:;base64,${Buffer.from(await file.arrayBuffer()).toString('base64')}`
    this.dispatchEvent(new Event('load'))
  }
}

beforeAll(() => {
  vi.stubGlobal('FileReader', FileReader)
  return () => vi.unstubAllGlobals()
})

const file = (name: string, type: string, content: BlobPart = 'hi') => new File([content], name, { type })

describe('readFiles', () => {
  test('readFiles attaches files of any media type', async () => {
    const { attachments, problems } = await readFiles(
      [file('a.png', 'image/png'), file('b.pdf', 'application/pdf'), file('c.mp3', 'audio/mpeg')],
      0,
    )
    expect(attachments).toMatchObject([
      { name: 'a.png', mediaType: 'image/png', data: 'aGk=' },
      { name: 'b.pdf', mediaType: 'application/pdf' },
      { name: 'c.mp3', mediaType: 'audio/mpeg' },
    ])
    expect(problems).toEqual([])
  })

  test('readFiles attaches a text whose media type the browser does not know', async () => {
    const { attachments } = await readFiles([file('main.rs', '', 'fn main() {}')], 0)
    expect(attachments).toMatchObject([{ name: 'main.rs', mediaType: 'text/plain' }])
  })

  test('readFiles names the files that cannot be attached', async () => {
    const { attachments, problems } = await readFiles(
      [
        file('logo.svg', 'image/svg+xml'),
        file('empty.txt', 'text/plain', ''),
        file('data.bin', '', new Uint8Array([0xff, 0xfe])),
        file('zeros', '', new Uint8Array(8)),
      ],
      0,
    )
    expect(attachments).toEqual([])
    expect(problems).toEqual([
      'logo.svg is not a PNG, JPEG, GIF, or WebP image.',
      'empty.txt is empty.',
      'data.bin has no known file type, and is not a text.',
      'zeros has no known file type, and is not a text.',
    ])
  })

  test('readFiles attaches files up to the size of a request', async () => {
    const text = file('a.txt', 'text/plain', 'abc')
    expect(await readFiles([text, text], maxAttachedCharacters - 4)).toMatchObject({
      attachments: [{ data: 'YWJj' }],
      problems: [expect.stringMatching(/^a\.txt is too large/)],
    })
  })
})
