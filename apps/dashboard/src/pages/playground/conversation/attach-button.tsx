import { ImagePlus, Link2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Menu } from '../../../components/menu.tsx'
import { imageTypes } from './read-images.ts'

export interface AttachButtonProps {
  /** Why images cannot be attached. */
  readonly unavailable: string | undefined
  onFiles(files: readonly File[]): void
  onUrl(url: string): void
}

/** Attaches images: files of this computer, or the URL of one. */
export function AttachButton({ unavailable, onFiles, onUrl }: AttachButtonProps) {
  const files = useRef<HTMLInputElement>(null)
  const [urlShown, setUrlShown] = useState(false)
  const [url, setUrl] = useState('')
  const [issue, setIssue] = useState<string>()
  if (unavailable !== undefined) {
    return <IconButton icon={ImagePlus} label={`Attach images: ${unavailable}`} disabled />
  }
  return (
    <>
      <Menu
        align="start"
        trigger={<IconButton icon={ImagePlus} label="Attach images" />}
        items={[
          { label: 'Choose files', icon: Upload, onSelect: () => files.current?.click() },
          { label: 'Enter a URL', icon: Link2, onSelect: () => setUrlShown(true) },
        ]}
      />
      <input
        ref={files}
        type="file"
        multiple
        accept={imageTypes.join(',')}
        aria-label="Image files"
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
        title="Image from a URL"
        description="The provider or the service loads the image. This page does not show it."
        onSubmit={() => {
          if (URL.parse(url)?.protocol !== 'https:') return setIssue('must be an https URL')
          onUrl(url)
          setUrl('')
          setUrlShown(false)
        }}
        footer={
          <Button type="submit" variant="primary">
            Attach
          </Button>
        }
      >
        <TextField
          label="Image URL"
          type="url"
          placeholder="https://example.com/photo.jpg"
          value={url}
          error={issue}
          onChange={(event) => {
            setUrl(event.target.value)
            setIssue(undefined)
          }}
        />
      </Dialog>
    </>
  )
}
