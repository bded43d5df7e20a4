// Renders the contact sheets of docs/gallery: `npm run gallery`, or `npm run gallery -- --full <folder>` to keep
// every image as well. The images are the same on every run on one platform.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createFairlead, operations } from '@fairlead/core'
import { local } from '@fairlead/provider-local'
import sharp from 'sharp'
import { type GalleryPrompt, galleryPrompts } from './gallery-prompts.ts'

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'docs/gallery' },
    cell: { type: 'string', default: '236' },
    full: { type: 'string' },
  },
})
const cell = Number(options.cell)
const gap = 4
const columns = 6

const fairlead = createFairlead({
  providers: [local({ images: { queue: galleryPrompts.length } })],
  routing: { timeouts: { totalMs: 600_000 } },
})
await mkdir(options.out, { recursive: true })
for (const model of ['vista', 'motif']) {
  const prompts = galleryPrompts.filter((prompt) => prompt.model === model)
  await writeFile(join(options.out, `${model}.jpg`), await contactSheet(await Promise.all(prompts.map(rendered))))
}
await fairlead.core.close()

/** Generates the image of a prompt, and prints its warnings. */
async function rendered({ width, height, ...prompt }: GalleryPrompt, index: number): Promise<Uint8Array> {
  const input = { ...prompt, size: `${width}x${height}` }
  const reply = await fairlead.core.run(operations.generateImage, { kind: 'embedded' }, input)
  if (!reply.success) throw new Error(`${prompt.prompt}: ${reply.error.message}`)
  for (const { issue } of reply.meta.warnings ?? []) console.log(`${prompt.prompt}: ${issue}`)
  const png = await fairlead.core.openImage(reply.data.id)
  if (!png) throw new Error(`${prompt.prompt}: the picture was not kept`)
  if (options.full) {
    await mkdir(options.full, { recursive: true })
    await writeFile(join(options.full, `${prompt.model}-${String(index + 1).padStart(2, '0')}.png`), png)
  }
  return png
}

async function contactSheet(pictures: readonly Uint8Array[]): Promise<Buffer> {
  const step = cell + gap
  const cells = await Promise.all(
    pictures.map(async (png, index) => ({
      input: await sharp(png).resize(cell, cell, { fit: 'contain', background: '#16181d' }).png().toBuffer(),
      left: gap + (index % columns) * step,
      top: gap + Math.floor(index / columns) * step,
    })),
  )
  const rows = Math.ceil(pictures.length / columns)
  return sharp({
    create: { width: gap + columns * step, height: gap + rows * step, channels: 3, background: '#16181d' },
  })
    .composite(cells)
    .jpeg({ quality: 82, mozjpeg: true })
    .toBuffer()
}
