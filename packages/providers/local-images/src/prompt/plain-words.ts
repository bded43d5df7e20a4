/** Words that join others; a color that waits for its noun stops waiting here. */
export const linkWords =
  'of in on at by with from to for near into over under behind above below between beside around through across along ' +
  'against during while where that which is are be being been was were has have , . ; : ! ? is'

/** Words that take back what follows. */
export const notWords = 'no, without, not, never, except, minus, excluding'

/** How many. */
export const countWords: readonly (readonly [count: number, phrases: string])[] = [
  [1, 'a, an, one, single, lone, 1, solitary'],
  [2, 'two, pair of, 2, twin, couple of'],
  [3, 'three, 3, few, some'],
  [4, 'four, 4'],
  [5, 'five, 5, several'],
  [6, 'six, 6'],
  [
    7,
    'many, lots of, dozens of, hundreds of, flock of, group of, row of, rows of, bunch of, fleet of, seven, eight, 7, 8, 9, 10',
  ],
]

/** Ways of making that this painter does not have. */
export const mediumWords =
  'watercolor, watercolour, oil painting, oil paint, oil on canvas, photo, photograph, photography, photorealistic, ' +
  'hyperrealistic, realistic, pixel art, anime, manga, cartoon, comic, sketch, pencil, pencil drawing, charcoal drawing, ' +
  'ink drawing, line art, line drawing, 3d, 3d render, low poly, claymation, collage, ukiyo e, impressionist, impressionism, ' +
  'expressionist, cubist, cubism, pointillism, baroque, renaissance, van gogh, monet, picasso, studio ghibli, ghibli, ' +
  'pixar, disney, bokeh, macro, fisheye, sepia, portrait photo, etching, woodcut, logo, icon, ' +
  'infographic, text, lettering, caption, typography, origami, embroidery, pastel drawing, crayon, chalk, unreal engine'

/** Words that say nothing which a painter could leave out. */
export const plainWords =
  'the and or as its his her their this these those it image picture painting painted illustration art artwork style ' +
  'scene landscape view drawing beautiful stunning nice lovely pretty gorgeous amazing breathtaking picturesque scenic ' +
  'highly detailed high quality 4k 8k hd render rendering digital concept cinematic masterpiece best award winning trending ' +
  'artstation please create make generate draw paint show me give of a very really so quite rather more less most small ' +
  'large big tiny old ancient new wide tall short high low long little huge giant massive vast enormous distant far away ' +
  'lone single background foreground middle center centre left right top bottom side front back sun sunlight sunray ray ' +
  'beam color colour colored coloured tone hue shade palette air breeze wind windy warm cool cold hot fresh deep light ' +
  'shining glowing flying floating standing sitting sailing drifting falling rising setting hanging covered lit lined ' +
  'surrounded filled reflected overlooking crossing looking leading winding resting hovering parked blowing burning moving ' +
  'rolling towering shimmering sparkling sparkly gleaming snow capped wooden stone brick rustic cozy cosy charming quaint ' +
  'modern medieval classic vintage traditional simple elegant lush dense thick thin sparse empty open endless infinite ' +
  'remote wild natural idyllic romantic inviting nostalgic striped round square curved smooth rough sharp shiny glossy ' +
  'full half crescent new there here up down out off all each every other another together alone above amid among amidst ' +
  'time world place land nature outdoor outside scenery horizon sky ground earth landscape panorama panoramic aerial bird eye ' +
  'surface perspective composition symmetrical atmosphere atmospheric ambience mood feeling weather season day golden wonderful ' +
  'perfect great good erupting landing fantastic incredible spectacular magnificent impressive glorious splendid delicate fine rich deep ' +
  'abstract pattern background wallpaper design poster print texture seamless geometric generative shape form line ' +
  'inspired like look made using featuring including can you i would want just only also then than too my your our'
