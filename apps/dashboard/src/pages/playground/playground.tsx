import { Columns2 } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { PageLayout } from '../../layout/page-layout.tsx'
import { type Column, columnsOf } from './columns.ts'
import { useModelChoices } from './model-choices.ts'
import { ModelSettings } from './model-settings.tsx'
import type { Mode } from './playground-state.ts'
import { PromptCard } from './prompt-card.tsx'
import { rememberPrompt } from './recent-prompts.ts'
import { ResultCard } from './result-card.tsx'
import { useCalls } from './use-calls.ts'
import { usePlaygroundState } from './use-playground-state.ts'

const modeOptions: readonly { readonly value: Mode; readonly label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Image' },
  { value: 'analysis', label: 'Analysis' },
]

/** Tries models: texts, images, and analyses, with one model or two side by side. */
export function Playground() {
  const { state, draft, update, updateDraft } = usePlaygroundState()
  const { mode, compare, raw } = state
  const { choices, error, retry } = useModelChoices(mode)
  const calls = useCalls()
  const columns = columnsOf({ mode, compare, draft, choices, latest: calls.latest })
  const running = columns.filter(({ call }) => call?.status === 'running')
  const obstacle = choices || error ? obstacleOf(mode, draft.prompt, columns) : 'The models are loading.'

  function run(chosen: readonly Column[]) {
    if (obstacle !== undefined) return
    rememberPrompt(mode, draft.prompt)
    // The first model of the list may be another one when a link is opened.
    const settled = chosen.filter(({ choice, settings }) => choice?.value && settings['model'] === undefined)
    updateDraft(
      Object.fromEntries(settled.map(({ side, settings, choice }) => [side, { ...settings, model: choice?.value }])),
    )
    for (const { key, request } of chosen) if (request) calls.start(key, request)
  }

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      // A dialog is open.
      if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return
      event.preventDefault()
      if (running.length === 0) run(columns)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })

  const settingsOf = (column: Column) => (
    <ModelSettings
      column={column}
      choices={choices}
      collapsed={compare}
      onChange={(settings) => updateDraft({ [column.side]: settings })}
    />
  )
  const resultOf = (column: Column) => (
    <ResultCard
      mode={mode}
      column={column}
      compare={compare}
      raw={raw}
      onRawChange={(next) => update({ raw: next })}
      onRetry={() => run([column])}
      onExample={(prompt) => updateDraft({ prompt })}
    />
  )
  const [first, second] = columns

  return (
    <PageLayout
      title="Playground"
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <Segmented label="Mode" value={mode} options={modeOptions} onChange={(next) => update({ mode: next })} />
          <Button
            aria-pressed={compare}
            onClick={() => {
              if (second) calls.stop(second.key)
              update({ compare: !compare })
            }}
            className={classNames(compare && 'border-accent! text-accent!')}
          >
            <Columns2 aria-hidden className="size-4" />
            Compare
          </Button>
        </div>
      }
    >
      {error ? <ErrorPanel error={error} onRetry={retry} /> : undefined}
      <div
        className={classNames('grid gap-4', !compare && 'lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]')}
      >
        <PromptCard
          mode={mode}
          prompt={draft.prompt}
          issue={first?.issues.get(mode === 'analysis' ? 'text' : 'prompt')}
          running={running.length > 0}
          obstacle={obstacle}
          onChange={(prompt) => updateDraft({ prompt })}
          onRun={() => run(columns)}
          onStop={() => {
            for (const { key } of running) calls.stop(key)
          }}
        />
        {compare ? (
          <div className="grid items-start gap-4 md:grid-cols-2">
            {columns.map((column) => (
              <div key={column.side} className="flex min-w-0 flex-col gap-4">
                {settingsOf(column)}
                {resultOf(column)}
              </div>
            ))}
          </div>
        ) : (
          first && (
            <>
              <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">{settingsOf(first)}</div>
              <div className="min-w-0">{resultOf(first)}</div>
            </>
          )
        )}
      </div>
    </PageLayout>
  )
}

/** Why the prompt cannot run. */
function obstacleOf(mode: Mode, prompt: string, columns: readonly Column[]): string | undefined {
  if (columns.some(({ choice }) => !choice)) return 'Choose a model to run it.'
  if (prompt.trim() === '') return mode === 'analysis' ? 'Enter a text to analyze it.' : 'Enter a prompt to run it.'
  const withoutTask = columns.some(
    ({ request }) => Array.isArray(request?.body['tasks']) && request.body['tasks'].length === 0,
  )
  return withoutTask ? 'Choose at least one task.' : undefined
}
