import type { ImageRequest } from '@fairlead/core/provider'

export type GalleryPrompt = Pick<ImageRequest, 'model' | 'prompt' | 'width' | 'height' | 'style' | 'quality'>

const square = [1024, 1024] as const
const portrait = [1024, 1536] as const
const landscape = [1536, 1024] as const

type Row = readonly [
  prompt: string,
  size: readonly [number, number],
  style?: 'natural' | 'vivid',
  quality?: 'standard' | 'hd',
]

const scenes: readonly Row[] = [
  ['a mountain lake at sunrise with a wooden cabin and pine trees', square],
  ['jagged snowy peaks at dusk with a castle by a lake', landscape],
  ['northern lights over a frozen mountain lake with a cabin at night', square],
  ['a volcano by a lake at sunset', square, 'natural'],
  ['a waterfall in a green mountain valley by day with a rainbow', portrait],
  ['a pagoda in the mountains in autumn, misty morning', square, 'natural'],
  ['a lighthouse on a cliff at sunset with birds', square],
  ['a tropical beach with palm trees, a parasol and a sailboat', landscape],
  ['a stormy sea with a tall ship and lightning', square, 'natural'],
  ['a wooden pier on a calm sea at dawn', square],
  ['icebergs in an arctic sea under a pink sky', square, 'natural'],
  ['a lighthouse and a ship at night', portrait],
  ['a neon cyberpunk city at night in the rain', square],
  ['a city skyline at sunset with a suspension bridge', landscape],
  ['fireworks over a city at night', square],
  ['a foggy morning in the city with a street lamp and a red car', square, 'natural'],
  ['an airship over a city on a sunny day', square],
  ['a ferris wheel in the city at dusk', portrait],
  ['an autumn forest with a winding path in the morning mist', square],
  ['a snowy pine forest at dawn', square, 'natural'],
  ['a tent and a campfire in a pine forest at night', square],
  ['a red canoe on a lake in a birch forest in autumn', landscape],
  ['red mushrooms in an enchanted forest', square],
  ['a spring forest with cherry blossoms', portrait],
  ['hot-air balloons over desert dunes at sunset with cacti', square],
  ['the great pyramids in the desert at dawn', square, 'natural'],
  ['a canyon of red rock at sunset', landscape],
  ['an oasis with palms under a starry night', square],
  ['a red barn in a spring meadow with poppies', square],
  ['a lavender field in Provence at sunset with a windmill', square],
  ['sunflowers and a hay bale on a farm on a summer afternoon', square, 'natural'],
  ['a steam train through rolling green hills with a stone bridge', landscape],
  ['a snowman and a church in a snowy village', square, 'natural'],
  ['a kite over the hills on a windy day with a bicycle', square],
  ['a purple nebula with a ringed planet', square],
  ['a rocket over the lunar surface with planet earth', portrait, 'vivid', 'hd'],
]

const patterns: readonly Row[] = [
  ['a calm flow field in blue and gold', square],
  ['happy truchet tiles', square],
  ['a dreamy soft gradient', landscape],
  ['an optical illusion in black and white', square],
  ['marbled paper in teal, coral and cream', square],
  ['a bauhaus poster', portrait],
  ['a stained glass window, dramatic', square],
  ['a japanese wave pattern in indigo and white', square],
  ['layered paper contours in teal and orange', square],
  ['a mandala, cheerful', square],
  ['a fibonacci spiral of dots in pink and navy', landscape],
  ['a tartan in green and navy', square],
]

/** The images of the gallery: every scene, a dozen patterns, and three image sizes. */
export const galleryPrompts: readonly GalleryPrompt[] = [
  ...scenes.map((row) => promptOf('vista', row)),
  ...patterns.map((row) => promptOf('motif', row)),
]

function promptOf(model: string, [prompt, [width, height], style = 'vivid', quality = 'standard']: Row): GalleryPrompt {
  return { model, prompt, width, height, style, quality }
}
