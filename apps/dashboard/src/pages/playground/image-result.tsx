import { buttonClass } from '../../components/button.tsx'
import { Download } from '../../components/icons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { serviceUrl } from '../../home.ts'
import type { CallRequest, Image } from './call-model.ts'

export interface ImageResultProps {
  readonly image: Image
  readonly request: CallRequest
}

export function ImageResult({ image, request: { body } }: ImageResultProps) {
  const { id, revised_prompt } = image
  // The public URL of the service may have another host than this page, whose images the page is not allowed to load.
  const url = `${serviceUrl}/images/${id}.png`
  const { width, height } = parseDimensions(body['size'])
  return (
    <figure className="flex min-w-0 flex-col gap-3">
      <img
        key={id}
        src={url}
        alt={revised_prompt ?? String(body['prompt'])}
        width={width}
        height={height}
        className="h-auto max-h-[60dvh] w-auto max-w-full self-center rounded-lg border border-line bg-sunken"
      />
      <figcaption className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 text-sm text-muted">{revised_prompt}</p>
        <a href={url} download={`${id}.png`} className={buttonClass({ size: 'sm' })}>
          <Download aria-hidden className="size-3.5" />
          Download PNG
        </a>
      </figcaption>
    </figure>
  )
}

/** Holds the place of an image that is being generated. */
export function PendingImage({ size }: { readonly size: unknown }) {
  const { width, height } = parseDimensions(size)
  return (
    <div
      style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, ${width}px, ${(60 * width) / height}dvh)` }}
      className="self-center"
    >
      <Skeleton className="size-full rounded-lg!" />
    </div>
  )
}

function parseDimensions(size: unknown): { readonly width: number; readonly height: number } {
  const [width = 1024, height = 1024] = String(size ?? '1024x1024')
    .split('x')
    .map(Number)
  return { width, height }
}
