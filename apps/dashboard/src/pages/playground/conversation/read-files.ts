import { type Attachment, isImage, maxAttachedCharacters, newId } from './conversation.ts'

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export interface ReadFiles {
  readonly attachments: readonly Attachment[]
  /** Why files were not attached. */
  readonly problems: readonly string[]
}

/**
 * Reads files as attachments of a message. Which media types beside images a model takes, only its provider knows.
 *
 * @param used how many characters other attachments take in the same request
 */
export async function readFiles(files: readonly File[], used: number): Promise<ReadFiles> {
  const attachments: Attachment[] = []
  const problems: string[] = []
  let characters = used
  for (const file of files) {
    const base64Characters = Math.ceil(file.size / 3) * 4
    if (file.size === 0) {
      problems.push(`${file.name} is empty.`)
    } else if (characters + base64Characters > maxAttachedCharacters) {
      problems.push(`${file.name} is too large: a request has at most 20 MiB, and base64 adds a third.`)
    } else {
      // oxlint-disable-next-line no-await-in-loop -- large files are read one after the other
      const [mediaType, data] = await Promise.all([detectMediaType(file), toBase64(file)])
      const attachment = { id: newId(), name: file.name, mediaType: mediaType ?? '', data }
      if (mediaType === undefined) {
        problems.push(`${file.name} has no known file type, and is not a text.`)
      } else if (isImage(attachment) && !imageTypes.includes(mediaType)) {
        problems.push(`${file.name} is not a PNG, JPEG, GIF, or WebP image.`)
      } else {
        characters += base64Characters
        attachments.push(attachment)
      }
    }
  }
  return { attachments, problems }
}

const sampleBytes = 65_536

/** Browsers know no type of many texts, such as the source files of programs. */
async function detectMediaType(file: File): Promise<string | undefined> {
  const [type = ''] = file.type.split(';')
  if (type !== '') return type
  const sample = await file.slice(0, sampleBytes).arrayBuffer()
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return text.includes('\0') ? undefined : 'text/plain'
  } catch {
    return undefined
  }
}

function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')))
    reader.readAsDataURL(file)
  })
}
