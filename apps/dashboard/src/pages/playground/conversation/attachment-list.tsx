import { FileText, Link2, X } from '../../../components/icons.tsx'
import { formatBytes } from '../../../format.ts'
import { type Attachment, isImage } from './conversation.ts'

export interface AttachmentListProps {
  readonly attachments: readonly Attachment[]
  /** Absent if they cannot be removed. */
  onRemove?: ((id: string) => void) | undefined
}

/** The images and files of a message. Those with a URL are named only, because the page loads nothing from other hosts. */
export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  return (
    <ul aria-label="Attachments" className="flex flex-wrap gap-2">
      {attachments.map((attachment) => {
        const name = attachmentName(attachment)
        return (
          <li key={attachment.id} className="relative">
            <AttachmentView attachment={attachment} name={name} />
            {onRemove && (
              <button
                type="button"
                aria-label={`Remove ${name}`}
                title={`Remove ${name}`}
                onClick={() => onRemove(attachment.id)}
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

function AttachmentView({ attachment, name }: { readonly attachment: Attachment; readonly name: string }) {
  if ('data' in attachment && isImage(attachment)) {
    return (
      <figure title={`${name}, ${formatSize(attachment.data)}`}>
        <img
          src={`data:${attachment.mediaType};base64,${attachment.data}`}
          alt={name}
          className="h-20 max-w-48 min-w-12 rounded-md border border-line bg-surface object-cover"
        />
        <figcaption className="tabular mt-0.5 text-2xs text-muted">{formatSize(attachment.data)}</figcaption>
      </figure>
    )
  }
  const Icon = 'url' in attachment ? Link2 : FileText
  return (
    <div
      title={'url' in attachment ? attachment.url : name}
      className="flex h-20 max-w-56 items-center gap-2 rounded-md border border-line bg-surface px-3 pr-8 text-xs"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0">
        <p className="line-clamp-2 wrap-anywhere">{name}</p>
        {'data' in attachment && (
          <p className="tabular mt-0.5 truncate text-2xs text-muted">
            {attachment.mediaType}, {formatSize(attachment.data)}
          </p>
        )}
      </div>
    </div>
  )
}

function attachmentName(attachment: Attachment): string {
  return 'data' in attachment ? attachment.name : attachment.url.replace(/^https:\/\//, '')
}

/** The size of the file, whose base64 is a third longer. */
function formatSize(data: string): string {
  const padding = data.endsWith('==') ? 2 : Number(data.endsWith('='))
  return formatBytes((data.length * 3) / 4 - padding)
}
