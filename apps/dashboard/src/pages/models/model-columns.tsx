import { Link, linkOptions } from '@tanstack/react-router'
import type { components } from '../../api/schema.d.ts'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Ellipsis, Play, ScrollText } from '../../components/icons.tsx'
import { Menu } from '../../components/menu.tsx'
import { formatCompact, formatLabel, formatUsd } from '../../format.ts'
import { capabilities } from './page.ts'

type Model = components['schemas']['Model']

type Capability = (typeof capabilities)[number]

export const capabilityLabels: Readonly<Record<Capability, string>> = {
  chat: 'Chat',
  tools: 'Tools',
  vision: 'Vision',
  structured: 'JSON schema',
  reasoning: 'Reasoning',
  embedding: 'Embeddings',
  streaming: 'Streaming',
  seed: 'Seed',
}

/** @param all the models of all providers, among which an id may not be unique */
export function modelColumns(all: readonly Model[]): readonly Column<Model>[] {
  return [
    {
      id: 'model',
      header: 'Model',
      sortValue: ({ name }) => name,
      cell: ({ id, name, description }) => (
        <div className="py-2">
          <p className="font-medium">{name}</p>
          <p className="flex items-center gap-0.5 text-xs text-muted">
            <code className="font-mono">{id}</code>
            <CopyButton text={id} label={`Copy the id of ${name}`} />
          </p>
          <p className="line-clamp-2 max-w-72 text-xs whitespace-normal text-muted max-lg:hidden" title={description}>
            {description}
          </p>
        </div>
      ),
    },
    { id: 'type', header: 'Type', from: 'sm', cell: ({ type }) => <Badge tone="accent">{formatLabel(type)}</Badge> },
    {
      id: 'provider',
      header: 'Provider',
      from: 'sm',
      sortValue: ({ provider }) => provider,
      cell: ({ provider }) => provider,
    },
    {
      id: 'capabilities',
      header: 'Capabilities',
      from: 'lg',
      cell: (model) => (
        <span className="flex max-w-80 flex-wrap gap-1 py-2">
          {capabilities
            .filter((capability) => model.capabilities[capability])
            .map((capability) => (
              <Badge key={capability}>{capabilityLabels[capability]}</Badge>
            ))}
        </span>
      ),
    },
    {
      id: 'context',
      header: 'Context',
      sortValue: (model) => model.capabilities.context_size,
      align: 'end',
      from: 'md',
      cell: ({ capabilities: { context_size } }) => (context_size === undefined ? '–' : formatCompact(context_size)),
    },
    {
      id: 'output',
      header: 'Max. output',
      sortValue: maxOutput,
      align: 'end',
      from: 'md',
      cell: (model) => {
        const max = maxOutput(model)
        return max === null ? '–' : formatCompact(max)
      },
    },
    {
      id: 'price in',
      header: 'Input / 1M',
      sortValue: ({ pricing }) => (pricing.known === false ? null : pricing.input),
      align: 'end',
      cell: ({ pricing }) => <Price usd={pricing.input} known={pricing.known} />,
    },
    {
      id: 'price out',
      header: 'Output / 1M',
      // The price of an image is not one of tokens.
      sortValue: ({ pricing, type }) => (pricing.known === false || type === 'image' ? null : pricing.output),
      align: 'end',
      cell: ({ pricing, type }) => (
        <>
          <Price usd={pricing.output} known={pricing.known} />
          {type === 'image' && pricing.output > 0 && <span className="text-muted"> / image</span>}
        </>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (model) => <Actions model={model} all={all} />,
    },
  ]
}

/** Of models that generate text. */
function maxOutput({ type, max_tokens, capabilities: { embedding } }: Model): number | null {
  return type === 'text' && !embedding ? max_tokens : null
}

function Price({ usd, known = true }: { readonly usd: number; readonly known?: boolean | undefined }) {
  if (!known) return <span className="text-muted">Unknown</span>
  return usd === 0 ? <span className="text-muted">Free</span> : formatUsd(usd)
}

function Actions({
  model: {
    id,
    name,
    type,
    provider,
    capabilities: { embedding },
  },
  all,
}: {
  readonly model: Model
  readonly all: readonly Model[]
}) {
  const isUnique = all.filter((other) => other.id === id).length === 1
  const playground = linkOptions({
    to: '/playground',
    search: { mode: type === 'text' ? undefined : type, model: isUnique ? id : `${provider}/${id}` },
  })
  return (
    <div className="flex items-center justify-end gap-1">
      {!embedding && (
        <Link {...playground} aria-label={`Try ${name}`} className={`${buttonClass({ size: 'sm' })} max-lg:hidden`}>
          Try
        </Link>
      )}
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} size="sm" />}
        items={[
          ...(embedding ? [] : [{ label: 'Open in the playground', icon: Play, link: playground }]),
          { label: 'Show requests', icon: ScrollText, link: linkOptions({ to: '/requests', search: { model: id } }) },
        ]}
      />
    </div>
  )
}
