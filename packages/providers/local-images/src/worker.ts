import type { ImageAnswer } from '@fairlead/core/provider'
import { encodePng } from './encode-png.ts'
import type { ImageJob } from './image-job.ts'
import { paintImage } from './paint-image.ts'

/** The function that the pool calls in its threads: paints a picture, and marks its file as the work of a procedure. */
export function paint(job: ImageJob): ImageAnswer {
  const { pixels, description, leftOut } = paintImage(job)
  const png = encodePng(pixels, job, {
    Software: `Fairlead ${job.model}`,
    Comment:
      'Procedural image: painted by a program from the words of a prompt. Not a photograph, not a neural network.',
  })
  return { png, revisedPrompt: description, warnings: leftOut.map((issue) => ({ field: 'prompt', issue })) }
}
