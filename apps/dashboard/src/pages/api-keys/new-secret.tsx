import { useState } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { OneTimeSecretDialog } from '../../components/one-time-secret-dialog.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { serviceUrl } from '../../home.ts'
import type { Scope } from './api-key.ts'
import { type Language, snippets } from './snippets.ts'

export interface NewSecretProps {
  readonly title: string
  readonly description: string
  readonly secret: string
  readonly scopes: readonly Scope[]
  onClose(): void
}

/** The secret of an API key, with programs that use it. */
export function NewSecret({ secret, scopes, ...dialog }: NewSecretProps) {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <OneTimeSecretDialog label="secret" secret={secret} {...dialog}>
      <Tabs
        label="Language"
        value={language}
        onChange={setLanguage}
        tabs={snippets({ secret, scopes, serviceUrl }).map(({ language: value, label, code }) => ({
          value,
          label,
          content: <CodeBlock label={`${label} snippet`} code={code} />,
        }))}
      />
    </OneTimeSecretDialog>
  )
}
