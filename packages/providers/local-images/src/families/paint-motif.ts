import type { ImageJob, PaintedImage } from '../image-job.ts'
import { noiseFrom } from '../pixels/noise.ts'
import { type Random, randomFrom } from '../pixels/random.ts'
import { careFor, finished, pictureFor } from '../pixels/studio.ts'
import type { Mood } from '../prompt/meaning.ts'
import { readPrompt } from '../prompt/read-prompt.ts'
import type { Reading } from '../prompt/reading.ts'
import { article, listed } from '../scenes/describe-vista.ts'
import { chooseSeed } from '../seed.ts'
import type { Family, Palette } from './family.ts'
import { familyTable } from './family-table.ts'
import { paletteFor } from './palettes.ts'

const energies: Readonly<Record<Mood, number>> = { calm: 0.7, dreamy: 0.85, gloomy: 0.9, happy: 1.15, dramatic: 1.35 }

/** Makes the pattern that a prompt's words, mood and colors point to, and says what of it a pattern cannot show. */
export function paintMotif(job: ImageJob): PaintedImage {
  // Beside a caller's seed, too: prompts that name no pattern would all get the same one.
  const seed = chooseSeed(job.seed === undefined ? job.prompt : `${job.seed} ${job.prompt}`, undefined)
  const random = randomFrom(seed)
  const reading = readPrompt(job.prompt)
  const family = familyFor(reading, random)
  const palette = paletteFor(reading, random)
  const picture = pictureFor(job)
  family.paint({
    picture,
    palette,
    noise: noiseFrom(seed ^ 0x3b9d),
    random,
    ...careFor(job),
    mood: reading.mood,
    energy: reading.mood ? energies[reading.mood] : random.between(0.85, 1.15),
  })
  return {
    pixels: finished(picture, job, random.fork(77), { vignette: 0.08, bloom: 0.35 }),
    description: describeMotif(reading, family, palette),
    leftOut: leftOutOfMotif(reading),
  }
}

function familyFor({ families, mood }: Reading, random: Random): Family {
  const asked = familyTable.find(({ name }) => name === families[0])
  if (asked) return asked
  const suited = mood ? familyTable.filter(({ moods }) => moods.includes(mood)) : familyTable
  return suited[random.index(suited.length)] ?? familyTable[0]
}

function describeMotif({ mood, colorNames }: Reading, family: Family, palette: Palette): string {
  const what = [mood, family.name].filter(Boolean).join(' ')
  const colors = colorNames.length > 0 ? listed([...new Set(colorNames)]) : `the palette "${palette.name}"`
  return `A procedural pattern: ${article(what)} ${what} in ${colors}.`
}

/** A pattern has no subject: whatever the prompt names as one is missing from it. */
function leftOutOfMotif({ subjects, unpainted, scene, families }: Reading): string[] {
  const things = [
    ...subjects.map(({ text }) => text),
    ...unpainted.filter(({ reason }) => reason !== 'medium').map(({ text }) => text),
  ]
  const told = [...new Set(things)].map(
    (text) => `"${text}" is not painted: motif makes patterns, which have no subject`,
  )
  const media = unpainted
    .filter(({ reason }) => reason === 'medium')
    .map(({ text }) => `"${text}" is not honored: motif works in its own manner`)
  const place =
    scene && things.length === 0 && families.length === 0
      ? [`the scene (${scene}) is not painted: motif makes patterns, which have no subject; vista paints scenes`]
      : []
  return [...told, ...media, ...place]
}
