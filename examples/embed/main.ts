import { writeFile } from 'node:fs/promises'
import { createFairlead } from '@fairlead/core'
import { local } from '@fairlead/provider-local'

const fairlead = createFairlead({ providers: [local()] })

const { content } = await fairlead.generate({ model: 'scribe', prompt: 'Write a haiku about rain', seed: 7 })
console.log(content)

for await (const chunk of fairlead.generate.stream({ model: 'scribe', prompt: 'Name ideas for a coffee shop' })) {
  process.stdout.write(chunk.content)
}

const image = await fairlead.generateImage({ model: 'vista', prompt: 'a lake at dawn', size: '512x512' })
await writeFile('lake.png', (await fairlead.core.openImage(image.id)) ?? '')

const { sentiment } = await fairlead.analyze({ text: 'What a lovely morning!', tasks: ['sentiment'] })
console.log(`\n${sentiment?.label}`)

await fairlead.core.close()
