import { useState } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { serviceUrl } from '../../home.ts'
import type { Scope } from './api-key.ts'
import { type Language, snippets } from './snippets.ts'

/** A secret that is shown once, with programs that use it. */
export function NewSecret({ secret, scopes }: { readonly secret: string; readonly scopes: readonly Scope[] }) {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <>
      <CodeBlock label="secret" code={secret} wrap />
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
    </>
  )
}
