/** The request for a size: its aspect ratio, and its resolution if it is not 1K. */
export interface ImageFormat {
  readonly aspectRatio: string
  readonly imageSize?: '2K'
}

/** The sizes of 1K images and their aspect ratios (Gemini API docs: "Image generation", aspect ratios and image size). */
const oneMegapixel: Readonly<Record<string, string>> = {
  '1024x1024': '1:1',
  '1264x848': '3:2',
  '848x1264': '2:3',
  '1200x896': '4:3',
  '896x1200': '3:4',
  '1152x928': '5:4',
  '928x1152': '4:5',
  '1376x768': '16:9',
  '768x1376': '9:16',
  '1584x672': '21:9',
}

/** Undefined for a size that no model supports. */
export function formatOf(width: number, height: number): ImageFormat | undefined {
  const atOneK = ratioOf(width, height)
  if (atOneK !== undefined) return { aspectRatio: atOneK }
  const atTwoK = ratioOf(width / 2, height / 2)
  return atTwoK === undefined ? undefined : { aspectRatio: atTwoK, imageSize: '2K' }
}

function ratioOf(width: number, height: number): string | undefined {
  const size = `${width}x${height}`
  return Object.hasOwn(oneMegapixel, size) ? oneMegapixel[size] : undefined
}
