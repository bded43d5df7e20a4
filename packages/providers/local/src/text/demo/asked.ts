import type { Message } from '@fairlead/core/provider'

/** The tags that agents add to the messages of their users: `<system-reminder>`, `<environment_context>`, and so on. */
const opening = /<([a-z]+[-_:][\w:-]*)(?:\s[^<>]{0,200})?>/gi

/** More blocks than any agent adds. The text behind them counts as the user's. */
const maxBlocks = 50

/** The conversation with what users wrote, without what their programs added. */
export function withoutAdditions(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message): readonly Message[] => {
    if (message.role !== 'user') return [message]
    const content = message.content.flatMap((part): readonly (typeof part)[] => {
      if (part.type !== 'text') return [part]
      const text = unquoted(withoutBlocks(part.text).trim())
      return text === '' ? [] : [{ ...part, text }]
    })
    return content.length === 0 ? [] : [{ role: 'user', content }]
  })
}

function withoutBlocks(text: string): string {
  let rest = text
  let from = 0
  for (let blocks = 0; blocks < maxBlocks; blocks++) {
    opening.lastIndex = from
    const found = opening.exec(rest)
    if (!found) break
    const [tag, name] = found
    const end = rest.indexOf(`</${name}>`, found.index + tag.length)
    from = end < 0 ? found.index + tag.length : found.index
    if (end >= 0) rest = rest.slice(0, found.index) + rest.slice(end + `</${name}>`.length)
  }
  return rest
}

/** opencode sends the words of a command line in quotes. */
function unquoted(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text
}

/** The folder in which an agent works, where it says so. Some tools take only absolute paths. */
export function workingFolder(messages: readonly Message[]): string | undefined {
  for (const { role, content } of messages) {
    if (role !== 'system' && role !== 'user') continue
    for (const part of content) {
      const [, folder] =
        part.type === 'text' ? (/\b(?:directory|cwd)\b[^\n/]{0,20}(\/[^\n<>()"'`]*)/i.exec(part.text) ?? []) : []
      if (folder) return folder.trim().replace(/[.,:]$/, '')
    }
  }
  return undefined
}
