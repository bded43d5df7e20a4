/** No name leaves the folder or the prefix of the images. */
export function isBlobName(name: string): boolean {
  return /^[a-z]+_\d+$/.test(name)
}

export function requireBlobName(name: string): string {
  if (!isBlobName(name)) throw new Error(`"${name}" is not a valid blob name`)
  return name
}
