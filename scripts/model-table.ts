import type { Prices, Pricing } from '@fairlead/core/provider'
import { catalog, type CatalogEntry, type Publisher } from '@fairlead/provider-toolkit'

const publishers: Readonly<Record<Publisher, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  groq: 'Groq',
  mistral: 'Mistral',
  deepseek: 'DeepSeek',
  xai: 'xAI',
}

/** The catalog in Markdown: a table for each publisher, with unconfirmed facts below it. */
export function modelTable(): string {
  return (Object.keys(publishers) as Publisher[]).map(section).join('\n')
}

function section(publisher: Publisher): string {
  const entries: readonly CatalogEntry[] = catalog[publisher]
  const head = [
    'Model',
    'Context',
    'Max output',
    'Input',
    'Cached input',
    'Cache writes',
    'Output',
    'Checked',
    'Sources',
  ]
  const rows = [head, head.map(() => '---'), ...entries.map(cells)]
  const doubts = entries.flatMap(({ model, doubt }) => (doubt ? [`- \`${model.id}\`: ${doubt}`] : []))
  return [`## ${publishers[publisher]}`, '', ...rows.map((row) => `| ${row.join(' | ')} |`), '', ...doubts, ''].join(
    '\n',
  )
}

function cells({ model, earlier, nextPricing, checked, sources }: CatalogEntry): string[] {
  const { pricing } = model
  const more = pricing?.longPrompts
  const price = (which: keyof Prices, unit: string) => {
    if (pricing && pricing[which] === undefined) return 'as input'
    return [
      pricing ? `$${pricing[which]}${unit}` : 'not known',
      more ? `$${more[which]} above ${count(more.above)}` : '',
      nextPricing ? `$${nextPricing.pricing[which]} from ${nextPricing.from}` : '',
    ]
      .filter((part) => part !== '')
      .join(', ')
  }
  const size = sizeOf(model)
  const links = sources.map((source, index) => `[${index + 1}](${source})`).join(' ')
  return [
    `\`${model.id}\`${earlier ? ' (earlier)' : ''}`,
    ...size,
    price('input', ''),
    ...(model.type === 'text' ? [price('cachedInput', ''), price('cacheWrite', '')] : ['', '']),
    imagePrices(pricing) ?? price('output', model.type === 'image' ? ' an image' : ''),
    checked,
    links,
  ]
}

function sizeOf(model: CatalogEntry['model']): readonly [context: string, maxOutput: string] {
  if (model.type === 'image') return ['', 'an image']
  if (model.embedding) return [count(model.maxTokens), `${count(model.embedding.dimensions)} dimensions`]
  return [model.contextSize ? count(model.contextSize) : 'not known', count(model.maxTokens)]
}

function count(tokens: number): string {
  return tokens.toLocaleString('en-US')
}

/** From the lowest to the highest, where they depend on quality and size. */
function imagePrices({ images }: Partial<Pricing> = {}): string | undefined {
  if (!images) return undefined
  const all = Object.values(images).flatMap((bySize) => Object.values(bySize))
  return `$${Math.min(...all)} to $${Math.max(...all)} an image`
}
