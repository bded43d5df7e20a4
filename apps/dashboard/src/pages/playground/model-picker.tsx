import { Combobox } from '@base-ui/react/combobox'
import { useState } from 'react'
import { Check, ChevronsUpDown } from '../../components/icons.tsx'
import { usePopupContainer } from '../../components/popup-container.tsx'
import { type ModelChoice, unlistedChoice } from './model-choices.ts'

export interface ModelPickerProps {
  readonly label: string
  readonly chosen: ModelChoice | undefined
  readonly choices: readonly ModelChoice[] | undefined
  onChoose(choice: ModelChoice): void
}

/** Chooses a model by typing a part of its name. Ids that are not listed, such as routes, can be typed too. */
export function ModelPicker({ label, chosen, choices: loaded, onChoose }: ModelPickerProps) {
  const container = usePopupContainer()
  const [query, setQuery] = useState('')
  const choices = loaded ?? []
  const words = query.toLowerCase().split(/\s+/)
  const found = choices.filter(({ value, name, provider }) => {
    const text = `${value} ${name} ${provider}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const id = query.trim()
  const isListed = id === '' || choices.some(({ value }) => value === id)
  return (
    <Combobox.Root<ModelChoice>
      items={choices}
      filteredItems={isListed ? found : [...found, unlistedChoice(id)]}
      value={chosen ?? null}
      onValueChange={(next) => next && onChoose(next)}
      inputValue={query}
      onInputValueChange={setQuery}
      itemToStringLabel={({ name }) => name}
      isItemEqualToValue={(one, other) => one.value === other.value}
      autoHighlight
    >
      <Combobox.Trigger
        aria-label={chosen ? `${label}: ${chosen.name}` : label}
        className="flex min-h-11 w-full items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-2.5 py-1 text-left shadow-sm hover:bg-hover"
      >
        <span className="min-w-0">
          <span className="block truncate text-sm font-medium">
            {chosen?.name ?? (loaded ? 'Choose a model' : 'Loading models…')}
          </span>
          <span className="block truncate text-xs text-muted">{chosen && formatNote(chosen)}</span>
        </span>
        <Combobox.Icon>
          <ChevronsUpDown aria-hidden className="size-3.5 text-subtle" />
        </Combobox.Icon>
      </Combobox.Trigger>
      <Combobox.Portal container={container}>
        <Combobox.Positioner className="z-50" sideOffset={4} align="start">
          <Combobox.Popup
            aria-label={label}
            className="w-96 max-w-(--available-width) min-w-(--anchor-width) overflow-hidden rounded-lg border border-line bg-raised shadow-lg outline-none"
          >
            <Combobox.Input
              aria-label="Search models"
              placeholder="Search, or enter an id"
              className="h-9 w-full border-b border-line bg-transparent px-3 text-sm outline-none"
            />
            <Combobox.Empty>
              <p className="px-3 py-5 text-center text-sm text-muted">No model is available. Enable a provider.</p>
            </Combobox.Empty>
            <Combobox.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto p-1 empty:p-0">
              {(choice: ModelChoice) => (
                <Combobox.Item
                  key={choice.value}
                  value={choice}
                  className="flex min-h-10 cursor-default items-center gap-2 rounded-md py-1 pr-2 pl-2 outline-none data-highlighted:bg-hover"
                >
                  <span className="flex w-4 shrink-0 justify-center">
                    <Combobox.ItemIndicator>
                      <Check aria-hidden className="size-3.5" />
                    </Combobox.ItemIndicator>
                  </span>
                  <span className="min-w-0 flex-1">
                    <span className="block truncate text-sm">
                      {choices.includes(choice) ? choice.name : `Use “${choice.value}”`}
                    </span>
                    <span className="block truncate text-xs text-muted">
                      {choices.includes(choice)
                        ? formatNote(choice)
                        : 'An id that is not listed, such as that of a route'}
                    </span>
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}

function formatNote({ provider, price }: ModelChoice): string {
  return provider === '' ? price || 'Not listed' : `${provider} · ${price}`
}
