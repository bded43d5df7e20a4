import { useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { Check, Copy } from './icons.tsx'

export interface CopyButtonProps {
  readonly text: string
  /** Default: `Copy`. */
  readonly label?: string | undefined
  readonly onCopy?: (() => void) | undefined
}

const shownMs = 1_500

export function CopyButton({ text, label = 'Copy', onCopy }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  async function copy(button: HTMLElement) {
    await copyText(text, button)
    setCopied(true)
    onCopy?.()
    setTimeout(() => setCopied(false), shownMs)
  }
  return (
    <>
      <IconButton
        icon={copied ? Check : Copy}
        label={label}
        size="sm"
        onClick={(event) => void copy(event.currentTarget)}
      />
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}

/** Pages without HTTPS have no clipboard interface: there, an older command copies a selection. */
async function copyText(text: string, beside: HTMLElement): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  // Inside the dialog, because a modal dialog takes the focus away from everything else.
  beside.after(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  beside.focus()
}
