import { formatPercent } from '../../format.ts'
import { type Entity, locateEntities } from './locate-entities.ts'

export interface MarkedTextProps {
  readonly text: string
  readonly entities: readonly Entity[]
}

/** A text whose entities are marked with their types. */
export function MarkedText({ text, entities }: MarkedTextProps) {
  if (entities.length === 0) return <p className="text-sm text-muted">The text names no entities.</p>
  const parts = locateEntities(text, entities)
  const marked = new Set(parts.map(({ entity }) => entity))
  const others = entities.filter((entity) => !marked.has(entity))
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="max-h-[40dvh] overflow-y-auto text-base leading-8 break-words whitespace-pre-wrap">
        {parts.map(({ text: part, start, entity }) => (entity ? <Mark key={start} {...entity} /> : part))}
      </p>
      {others.length > 0 && (
        <p className="text-sm leading-8">
          <span className="text-muted">Not found in the text: </span>
          {others.map((entity) => (
            <Mark key={`${entity.type} ${entity.text}`} {...entity} />
          ))}
        </p>
      )}
    </div>
  )
}

/** Keeps the type on the line of the entity. */
const noBreakSpace = '\u00a0'

function Mark({ text, type, confidence }: Entity) {
  return (
    <mark
      title={`${type}, confidence ${formatPercent(confidence)}`}
      className={`rounded-sm border-b-2 box-decoration-clone px-1 py-0.5 text-fg ${colors[type]}`}
    >
      {text}
      {noBreakSpace}
      <span className="ml-0.5 text-2xs font-medium text-muted">
        {type[0]}
        {type.slice(1).toLowerCase()}
      </span>
    </mark>
  )
}

const people = 'bg-chart-1/10 border-chart-1'
const groups = 'bg-chart-4/10 border-chart-4'
const places = 'bg-chart-2/10 border-chart-2'
const times = 'bg-chart-3/10 border-chart-3'
const amounts = 'bg-chart-5/10 border-chart-5'
const rest = 'bg-chart-6/10 border-chart-6'

const colors: Readonly<Record<Entity['type'], string>> = {
  PERSON: people,
  ORGANIZATION: groups,
  PRODUCT: groups,
  LOCATION: places,
  DATE: times,
  TIME: times,
  EVENT: times,
  MONEY: amounts,
  PERCENT: amounts,
  NUMBER: amounts,
  EMAIL: rest,
  URL: rest,
  PHONE: rest,
  OTHER: rest,
}
