import { useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Link2, Paperclip, Upload } from '../../../components/icons.tsx'
import { Menu } from '../../../components/menu.tsx'

export interface AttachButtonProps {
  /** Why nothing can be attached. */
  readonly unavailable: string | undefined
  onFiles(files: readonly File[]): void
  /** Receives the URL of an image or, with its media type, of another file. */
  onUrl(url: string, mediaType?: string): void
}

/** Attaches images and other files: from this computer, or by a URL. */
export function AttachButton({ unavailable, onFiles, onUrl }: AttachButtonProps) {
  const files = useRef<HTMLInputElement>(null)
  const [urlShown, setUrlShown] = useState(false)
  const [text, setText] = useState('')
  const [issue, setIssue] = useState<string>()
  if (unavailable !== undefined) {
    return <IconButton icon={Paperclip} label={`Attach files: ${unavailable}`} disabled />
  }
  return (
    <>
      <Menu
        align="start"
        trigger={<IconButton icon={Paperclip} label="Attach files" />}
        items={[
          { label: 'Choose files', icon: Upload, onSelect: () => files.current?.click() },
          { label: 'Enter a URL', icon: Link2, onSelect: () => setUrlShown(true) },
        ]}
      />
      <input
        ref={files}
        type="file"
        multiple
        aria-label="Files"
        tabIndex={-1}
        className="hidden"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      <Dialog
        open={urlShown}
        onOpenChange={setUrlShown}
        title="Attach a URL"
        description="The URL of an image, or of a PDF document that ends in .pdf. The provider or the service loads it. This page does not show it."
        onSubmit={() => {
          const url = URL.parse(text)
          if (url?.protocol !== 'https:') return setIssue('must be an https URL')
          onUrl(text, /\.pdf$/i.test(url.pathname) ? 'application/pdf' : undefined)
          setText('')
          setUrlShown(false)
        }}
        footer={
          <Button type="submit" variant="primary">
            Attach
          </Button>
        }
      >
        <TextField
          label="URL"
          type="url"
          placeholder="https://example.com/photo.jpg"
          value={text}
          error={issue}
          onChange={(event) => {
            setText(event.target.value)
            setIssue(undefined)
          }}
        />
      </Dialog>
    </>
  )
}
