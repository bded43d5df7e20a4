import { useState } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { serviceUrl } from '../../home.ts'
import type { CallRequest } from './call-model.ts'
import { curlSample, graphqlSample, typescriptSample } from './code-samples.ts'

export interface CodeDialogProps {
  readonly open: boolean
  onOpenChange(open: boolean): void
  readonly request: CallRequest
}

type Language = 'curl' | 'typescript' | 'graphql'

/** Programs that send the request of the playground. */
export function CodeDialog({ open, onOpenChange, request }: CodeDialogProps) {
  const [language, setLanguage] = useState<Language>('curl')
  const { document, variables } = graphqlSample(request)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="View code"
      size="lg"
      description={
        <>
          The prompt and the parameters as a request. Set <code className="font-mono text-xs">FAIRLEAD_API_KEY</code> to
          an API key.
        </>
      }
    >
      <Tabs
        label="Language"
        value={language}
        onChange={setLanguage}
        tabs={[
          {
            value: 'curl',
            label: 'curl',
            content: <CodeBlock label="curl command" code={curlSample(request, serviceUrl)} />,
          },
          {
            value: 'typescript',
            label: 'TypeScript',
            content: <CodeBlock label="TypeScript program" code={typescriptSample(request, serviceUrl)} />,
          },
          {
            value: 'graphql',
            label: 'GraphQL',
            content: (
              <div className="flex flex-col gap-3">
                <p className="text-xs text-muted">
                  Send both to <code className="font-mono">{serviceUrl}/graphql</code>
                  {document.startsWith('subscription') && (
                    <>
                      {' '}
                      with <code className="font-mono">Accept: text/event-stream</code>
                    </>
                  )}
                  .
                </p>
                <CodeBlock label="GraphQL document" code={document} />
                <CodeBlock label="GraphQL variables" code={variables} />
              </div>
            ),
          },
        ]}
      />
    </Dialog>
  )
}
