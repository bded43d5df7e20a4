import { useCallback, useEffect } from 'react'
import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Columns2, Eraser } from '../../components/icons.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { PageLayout } from '../../layout/page-layout.tsx'
import { type Column, createColumns } from './columns.ts'
import { asking } from './conversation/asking.ts'
import { Composer } from './conversation/composer.tsx'
import { ConversationCard } from './conversation/conversation-card.tsx'
import { findLack, findObstacle as conversationObstacle } from './conversation/obstacle.ts'
import { SystemField } from './conversation/system-field.tsx'
import { useConversation } from './conversation/use-conversation.ts'
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

/** Tries models: conversations, images, and analyses, with one model or two side by side. */
export function Playground() {
  const { state, draft, update, updateDraft } = usePlaygroundState()
  const { mode, compare, raw } = state
  const { prompt } = draft
  const { choices, error, retry } = useModelChoices(mode)
  const control = useConversation()
  const { conversation, change } = control
  const calls = useCalls()
  const columns = createColumns({ mode, compare, draft, choices, conversation, latest: calls.latest })
  const turns = asking(columns, control, calls)
  const running = columns.filter(({ call }) => call?.status === 'running')
  const loading = choices || error ? undefined : 'The models are loading.'
  const obstacle =
    loading ??
    (mode === 'text' ? conversationObstacle(columns, conversation, prompt) : blockingReason(mode, prompt, columns))
  const onRawChange = useCallback((next: boolean) => update({ raw: next }), [update])

  function run(chosen: readonly Column[]) {
    if (obstacle !== undefined) return
    if (prompt.trim() !== '') rememberPrompt(mode, prompt)
    // The first model of the list may be another one when a link is opened.
    const settled = chosen.filter(({ choice, settings }) => choice?.value && settings['model'] === undefined)
    updateDraft({
      ...(mode === 'text' && { prompt: '' }),
      ...Object.fromEntries(settled.map(({ side, settings, choice }) => [side, { ...settings, model: choice?.value }])),
    })
    if (mode === 'text') turns.send(prompt)
    else for (const { key, request } of chosen) if (request) calls.start(key, request)
  }

  const runAll = () => run(columns)
  const stopAll = () => {
    for (const { key } of running) calls.stop(key)
  }

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      // A dialog is open.
      if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return
      event.preventDefault()
      if (running.length === 0) runAll()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })

  function toggleCompare() {
    const [, second] = columns
    if (second) calls.stop(second.key)
    // The second model continues the conversation of the first.
    else if (conversation.turns.b.length === 0) change({ turns: { ...conversation.turns, b: conversation.turns.a } })
    update({ compare: !compare })
  }

  const settingsOf = (column: Column) => (
    <ModelSettings
      column={column}
      choices={choices}
      collapsed={compare}
      onChange={(settings) => updateDraft({ [column.side]: settings })}
    />
  )
  const onExample = (example: string) => updateDraft({ prompt: example })
  const resultOf = (column: Column) =>
    mode === 'text' ? (
      <ConversationCard
        {...{ column, compare, raw, onRawChange, onExample }}
        changeAnswer={control.changeAnswer}
        onUserChange={turns.changeUserTurn}
        onUserRun={turns.runUserTurn}
        onRemove={turns.remove}
        onAsk={(next) => turns.ask(column, next)}
      />
    ) : (
      <ResultCard {...{ mode, column, compare, onExample }} onRetry={() => run([column])} />
    )
  const promptCard =
    mode === 'text' ? (
      <div className="sticky bottom-0 z-10 -mb-4 bg-canvas pb-4 md:-mb-6 md:pb-6">
        <Composer
          {...{ columns, control, prompt, obstacle }}
          running={running.length > 0}
          onChange={onExample}
          onRun={runAll}
          onStop={stopAll}
        />
      </div>
    ) : (
      <PromptCard
        {...{ mode, prompt, obstacle }}
        issue={columns[0]?.issues.get(mode === 'analysis' ? 'text' : 'prompt')}
        running={running.length > 0}
        onChange={onExample}
        onRun={runAll}
        onStop={stopAll}
      />
    )
  const results = columns.map((column) => (
    <div key={column.side} className="flex min-w-0 flex-col gap-4">
      {compare && settingsOf(column)}
      {resultOf(column)}
    </div>
  ))
  const [first] = columns
  const hasTurns = mode === 'text' && columns.some((column) => column.turns.length > 0 || column.call)

  return (
    <PageLayout
      title="Playground"
      actions={
        <div className="flex flex-wrap items-center gap-2">
          {hasTurns && (
            <Button
              onClick={() => {
                for (const { key } of columns) calls.clear(key)
                change({ turns: { a: [], b: [] }, attachments: [] })
              }}
            >
              <Eraser aria-hidden className="size-4" />
              Clear
            </Button>
          )}
          <Segmented label="Mode" value={mode} options={modeOptions} onChange={(next) => update({ mode: next })} />
          <Button
            aria-pressed={compare}
            onClick={toggleCompare}
            className={classNames(compare && 'border-accent! text-accent!')}
          >
            <Columns2 aria-hidden className="size-4" />
            Compare
          </Button>
        </div>
      }
    >
      {error ? <ErrorPanel error={error} onRetry={retry} /> : undefined}
      <div className={classNames('grid gap-4', !compare && 'lg:grid-cols-[minmax(0,1fr)_20rem]')}>
        <div className="order-last flex min-w-0 flex-col gap-4 lg:order-none">
          {mode === 'text' ? (
            <SystemField
              value={conversation.system}
              unavailable={findLack(columns, 'chat')}
              onChange={(system) => change({ system })}
            />
          ) : (
            promptCard
          )}
          {compare ? <div className="grid items-start gap-4 md:grid-cols-2">{results}</div> : results}
          {mode === 'text' && promptCard}
        </div>
        {!compare && first && (
          <div className="min-w-0 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:self-start lg:overflow-y-auto lg:rounded-lg">
            {settingsOf(first)}
          </div>
        )}
      </div>
    </PageLayout>
  )
}

/** Why the prompt cannot run. */
function blockingReason(mode: Mode, prompt: string, columns: readonly Column[]): string | undefined {
  if (columns.some(({ choice }) => !choice)) return 'Choose a model to run it.'
  if (prompt.trim() === '') return mode === 'analysis' ? 'Enter a text to analyze it.' : 'Enter a prompt to run it.'
  const withoutTask = columns.some(
    ({ request }) => Array.isArray(request?.body['tasks']) && request.body['tasks'].length === 0,
  )
  return withoutTask ? 'Choose at least one task.' : undefined
}
