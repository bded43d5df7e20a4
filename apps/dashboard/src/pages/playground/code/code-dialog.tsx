import { type ReactNode, useMemo, useState } from 'react'
import { CodeBlock } from '../../../components/code-block.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { serviceUrl } from '../../../home.ts'
import type { CallRequest } from '../call-model.ts'
import { curlSample, pythonSample, typescriptSample } from './code-samples.ts'
import { graphqlSample } from './graphql-sample.ts'
import { openaiNodeSample, openaiPythonSample } from './openai-samples.ts'
import { ellipsis, shortened } from './shortened.ts'

export interface CodeDialogProps {
  readonly open: boolean
  onOpenChange(open: boolean): void
  readonly request: CallRequest
}

type Language = 'curl' | 'typescript' | 'python' | 'openai-node' | 'openai-python' | 'graphql'

/** Programs that send the request of the playground. */
export function CodeDialog({ open, onOpenChange, request: full }: CodeDialogProps) {
  const [language, setLanguage] = useState<Language>('curl')
  const request = useMemo(() => shortened(full), [full])
  const isShortened = JSON.stringify(request).includes(ellipsis)
  const tab = (value: Language, label: string, name: string, code: string) => ({
    value,
    label,
    content: <CodeBlock label={name} code={code} />,
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="View code"
      size="lg"
      description={
        <>
          The request as a program. Set <code className="font-mono text-xs">FAIRLEAD_API_KEY</code> to an API key.
          {isShortened && ' The data of the attachments is shortened: replace it with all of their base64.'}
        </>
      }
    >
      <Tabs
        label="Language"
        value={language}
        onChange={setLanguage}
        tabs={[
          tab('curl', 'curl', 'curl command', curlSample(request, serviceUrl)),
          tab('typescript', 'TypeScript', 'TypeScript program', typescriptSample(request, serviceUrl)),
          tab('python', 'Python', 'Python program', pythonSample(request, serviceUrl)),
          ...(request.path === '/generate'
            ? [
                tab('openai-node', 'OpenAI Node', 'Node.js program', openaiNodeSample(request, serviceUrl)),
                tab('openai-python', 'OpenAI Python', 'OpenAI Python program', openaiPythonSample(request, serviceUrl)),
              ]
            : []),
          { value: 'graphql', label: 'GraphQL', content: <GraphqlCode request={request} /> },
        ]}
      />
    </Dialog>
  )
}

function GraphqlCode({ request }: { readonly request: CallRequest }): ReactNode {
  const { document, variables } = graphqlSample(request)
  return (
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
  )
}
