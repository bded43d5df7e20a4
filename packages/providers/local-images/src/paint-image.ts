import type { ImageJob, PaintedImage } from './image-job.ts'
import { paintMotif } from './families/paint-motif.ts'
import { paintVista } from './scenes/paint-vista.ts'

/** Paints a picture with the model that the job names; the one thing that worker threads do. */
export function paintImage(job: ImageJob): PaintedImage {
  return job.model === 'motif' ? paintMotif(job) : paintVista(job)
}
