import type { ImageJob } from '../image-job.ts'
import { type Finish, developed } from './finish.ts'
import { type Picture, blankPicture } from './picture.ts'
import type { Random } from './random.ts'
import { scaledDown } from './scale-down.ts'

const supersampling = 1.5

/** How closely a picture is worked out. */
export interface Care {
  /** Octaves of noise. */
  readonly octaves: number
  /** How many strokes a shape gets. */
  readonly detail: number
}

/** An empty picture of the job's size, larger in `hd`. */
export function pictureFor({ width, height, quality }: ImageJob): Picture {
  const scale = quality === 'hd' ? supersampling : 1
  return blankPicture(Math.round(width * scale), Math.round(height * scale))
}

/** The care that a quality asks for. */
export function careFor({ quality }: ImageJob): Care {
  return quality === 'hd' ? { octaves: 6, detail: 1.25 } : { octaves: 5, detail: 1 }
}

/** Develops a picture in the job's style and size. */
export function finished(
  picture: Picture,
  job: ImageJob,
  random: Random,
  touch: { saturation?: number; vignette?: number; bloom?: number } = {},
): Uint8Array {
  const { style, quality } = job
  const vivid = style === 'vivid'
  const finish: Finish = {
    saturation: (vivid ? 1.2 : 0.94) * (touch.saturation ?? 1),
    contrast: vivid ? 1.1 : 0.98,
    bloom: (vivid ? 1 : 0.5) * (touch.bloom ?? 1),
    vignette: touch.vignette ?? 0.26,
    grain: quality === 'hd' ? 0.012 : 0.014,
  }
  const pixels = developed(picture, finish, random)
  return picture.width === job.width ? pixels : scaledDown(pixels, picture, job)
}
