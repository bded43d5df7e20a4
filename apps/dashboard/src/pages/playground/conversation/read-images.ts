import { type AttachedImage, maxImageCharacters, newId } from './conversation.ts'

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export interface ReadImages {
  readonly images: readonly AttachedImage[]
  /** Why files were not attached. */
  readonly problems: readonly string[]
}

/**
 * Reads files as images of a message.
 *
 * @param used how many characters other images take in the same request
 */
export async function readImages(files: readonly File[], used: number): Promise<ReadImages> {
  const images: AttachedImage[] = []
  const problems: string[] = []
  let characters = used
  for (const file of files) {
    const base64Characters = Math.ceil(file.size / 3) * 4
    if (!imageTypes.includes(file.type)) {
      problems.push(`${file.name} is not a PNG, JPEG, GIF, or WebP image.`)
    } else if (characters + base64Characters > maxImageCharacters) {
      problems.push(`${file.name} is too large: a request has at most 20 MiB, and base64 adds a third.`)
    } else {
      characters += base64Characters
      // oxlint-disable-next-line no-await-in-loop -- large files are read one after the other
      images.push({ id: newId(), name: file.name, mediaType: file.type, data: await toBase64(file) })
    }
  }
  return { images, problems }
}

function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')))
    reader.readAsDataURL(file)
  })
}
