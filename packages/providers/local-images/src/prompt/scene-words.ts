import type { Part, SceneName, Trait } from './meaning.ts'

/** Words that name a scene outright, strongest first in weight: 3 is the place itself, 1 a hint. */
export const sceneWords: readonly (readonly [scene: SceneName, weight: number, phrases: string])[] = [
  ['space', 3, 'space, outer space, deep space, galaxy, nebula, cosmos, universe, orbit, star cluster'],
  // Alone it is a view of space; over a desert or a lake it is a night sky.
  ['space', 1, 'milky way'],
  [
    'space',
    2,
    'cosmic, interstellar, galactic, celestial, asteroid, solar system, black hole, supernova, alien planet',
  ],
  ['city', 3, 'city, skyline, downtown, metropolis, cityscape, town square, megacity, manhattan, times square'],
  [
    'city',
    2,
    'skyscraper, street, urban, avenue, boulevard, alley, office building, rooftop, cyberpunk, neon, traffic',
  ],
  ['city', 2, 'tokyo, new york, london, paris, chicago, shanghai, hong kong, dubai, singapore, building, apartment'],
  ['sea', 3, 'sea, ocean, beach, coast, seaside, shore, seashore, coastline, island, harbour, harbor, bay, seascape'],
  ['sea', 2, 'wave, lagoon, surf, tropical, reef, marina, port, atoll, caribbean, atlantic, pacific, tide'],
  ['forest', 3, 'forest, wood, woodland, jungle, grove, rainforest, taiga, redwood forest, pine forest, thicket'],
  ['forest', 2, 'redwood, trail, undergrowth, clearing, glade, campsite, birch, spruce, bamboo'],
  ['desert', 3, 'desert, dune, sahara, gobi, badlands, mesa, canyon, sand dune, wadi'],
  ['desert', 2, 'sand, oasis, arid, red rock, arizona, egypt, grand canyon, monument valley, butte, outback, pyramid'],
  [
    'meadow',
    3,
    'meadow, field, prairie, pasture, countryside, farmland, lavender field, vineyard, garden, japanese garden, rolling hill',
  ],
  [
    'meadow',
    2,
    'hill, grass, farm, rural, country road, country lane, country, park, orchard, savanna, steppe, wheat field, picnic, village, tuscany, moor',
  ],
  ['mountain', 3, 'mountain, alp, peak, summit, himalaya, mountain range, fjord, glacier, alpine, rockies, andes'],
  [
    'mountain',
    2,
    'lake, valley, cliff, mountainside, highland, ridge, hiking, canyon river, mountain lake, norway, yosemite',
  ],
  ['mountain', 1, 'river, stream, pond, reflection, rock, rocky, snowy, patagonia, switzerland, iceland'],
]

/** Words that say how a scene is laid out. */
export const traitWords: readonly (readonly [trait: Trait, phrases: string])[] = [
  [
    'water',
    'lake, river, stream, pond, creek, fjord, oasis, reflection, reflecting, riverside, lakeside, brook, waterfront, mountain lake, mountain river, canyon river, lakeshore',
  ],
  ['waves', 'wave, surf, rough sea, stormy sea, swell, breakers, tide'],
  ['island', 'island, coast, cliff, coastline, bay, atoll, harbour, harbor, fjord'],
  ['cliff', 'cliff, cliffside, clifftop, headland, cape, bluff'],
  ['beach', 'beach, shore, sand, seaside, seashore, coast, tropical, lagoon'],
  ['tropical', 'tropical, lagoon, caribbean, paradise, atoll, hawaii, maldives, turquoise sea, turquoise water'],
  ['path', 'path, trail, road, lane, track, pathway, footpath, winding road'],
  ['neon', 'neon, cyberpunk, futuristic, synthwave, vaporwave, retrowave, sci fi, tron'],
  ['stars', 'star, starry, starry sky, starlight, starlit, milky way, constellation, stargazing, starry night'],
  ['pines', 'pine forest, taiga, conifer, spruce, fir, evergreen, redwood, redwood forest, sequoia'],
  ['broadleaf', 'oak, beech, maple, deciduous, orchard, chestnut'],
  ['jungle', 'jungle, rainforest, tropical forest, bamboo'],
  ['blossom', 'blossom, cherry blossom, sakura, blossoming, in bloom, cherry tree, apple blossom'],
  ['birches', 'birch, birch forest, aspen'],
  ['lavender', 'lavender field, field of lavender, provence'],
  ['sunflowers', 'sunflower field, field of sunflower'],
  ['tulips', 'tulip field, field of tulip, tulip'],
  ['poppies', 'poppy, poppy field, field of poppy'],
  ['wildflowers', 'wildflower, daisy, blooming, flower field, field of flower, flower meadow, flowery, rose garden'],
  ['wheat', 'wheat, wheat field, cornfield, barley, harvest, corn, golden field'],
  ['vineyard', 'vineyard, tuscany, winery'],
  ['canyon', 'canyon, mesa, badlands, red rock, monument valley, arizona, grand canyon, butte'],
  ['nebula', 'nebula, cosmic cloud, stardust, supernova'],
  ['galaxy', 'galaxy, milky way, galactic, spiral galaxy'],
  ['lunar', 'lunar, lunar surface, moonscape, crater, moon surface, surface of the moon, on the moon, on mars'],
  ['martian', 'on mars, mars, martian, red planet, surface of mars'],
  ['lightning', 'lightning, thunder, thunderstorm, lightning bolt, lightning strike'],
  ['peaks', 'peak, alp, himalaya, jagged, summit, rockies'],
  ['monochrome', 'black and white, monochrome, monochromatic, greyscale, grayscale'],
  ['hills', 'rolling hill, hill, hilly'],
]

/** Parts of a scene that a color may be bound to. */
export const partWords: readonly (readonly [part: Part, phrases: string])[] = [
  ['sky', 'sky, sunset, sunrise, dawn, dusk, twilight, horizon, glow, light, evening, morning, night'],
  ['water', 'water, sea, ocean, lake, river, lagoon, wave, pond, stream, bay'],
  ['leaves', 'leaf, foliage, tree, blossom, forest, canopy, wood'],
  ['flowers', 'flower, tulip, poppy, wildflower, petal, rose, daisy, field, meadow, garden'],
  ['ground', 'sand, dune, grass, ground, beach, desert, hill, soil'],
  ['clouds', 'cloud, mist, fog, haze'],
  ['buildings', 'building, skyscraper, skyline, city, neon, neon light, city light, neon sign'],
  ['nebula', 'nebula, galaxy, stardust, space'],
  ['rock', 'mountain, rock, cliff, peak, canyon, mesa, ridge'],
]
