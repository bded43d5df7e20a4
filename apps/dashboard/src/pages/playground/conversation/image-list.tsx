import { Link2, X } from 'lucide-react'
import type { AttachedImage } from './conversation.ts'

export interface ImageListProps {
  readonly images: readonly AttachedImage[]
  /** Absent if they cannot be removed. */
  onRemove?: ((id: string) => void) | undefined
}

/** The images of a message. Those with a URL are named only, because the page loads nothing from other hosts. */
export function ImageList({ images, onRemove }: ImageListProps) {
  return (
    <ul aria-label="Images" className="flex flex-wrap gap-2">
      {images.map((image) => {
        const name = nameOf(image)
        return (
          <li key={image.id} className="relative">
            {'data' in image ? (
              <img
                src={`data:${image.mediaType};base64,${image.data}`}
                alt={name}
                title={name}
                className="h-20 max-w-48 min-w-12 rounded-md border border-line bg-surface object-cover"
              />
            ) : (
              <p
                title={image.url}
                className="flex h-20 max-w-56 items-center gap-2 rounded-md border border-line bg-surface px-3 pr-8 text-xs text-muted"
              >
                <Link2 aria-hidden className="size-4 shrink-0" />
                <span className="line-clamp-3 break-all">{name}</span>
              </p>
            )}
            {onRemove && (
              <button
                type="button"
                aria-label={`Remove ${name}`}
                title={`Remove ${name}`}
                onClick={() => onRemove(image.id)}
                className="absolute -top-2 -right-2 flex size-6 items-center justify-center rounded-full border border-line-strong bg-raised text-muted shadow-sm hover:text-fg"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function nameOf(image: AttachedImage): string {
  return 'data' in image ? image.name : image.url.replace(/^https:\/\//, '')
}
