import type { Mood, Season, Time, Weather } from './meaning.ts'

export const timeWords: readonly (readonly [Time, string])[] = [
  ['night', 'night, midnight, moonlit, moonlight, starry, starry sky, starry night, starlit, starlight, nocturnal'],
  ['night', 'northern light, aurora, aurora borealis, night sky, stargazing, firework, milky way, neon, cyberpunk'],
  ['sunset', 'sunset, golden hour, evening, sundown, setting sun, synthwave, vaporwave'],
  ['dusk', 'dusk, twilight, blue hour, nightfall, gloaming'],
  ['dawn', 'dawn, sunrise, morning, daybreak, rising sun, early morning, first light'],
  ['day', 'day, noon, midday, daytime, sunny, sunshine, afternoon, sunlit, bright, daylight, blue sky, rainbow'],
]

export const weatherWords: readonly (readonly [Weather, string])[] = [
  [
    'storm',
    'storm, stormy, thunderstorm, thunder, lightning, tempest, lightning bolt, lightning strike, hurricane, gale',
  ],
  ['rain', 'rain, rainy, raining, drizzle, rainfall, rainstorm, downpour, wet'],
  ['fog', 'fog, foggy, mist, misty, haze, hazy, morning mist, morning fog, smoky'],
  ['snow', 'snow, snowy, snowing, blizzard, snowfall, snowflake, snowstorm, snow covered, snowy peak'],
  ['cloudy', 'cloud, cloudy, overcast, grey sky, gray sky'],
  ['clear', 'clear, cloudless, clear sky'],
]

export const seasonWords: readonly (readonly [Season, string])[] = [
  ['autumn', 'autumn, fall, autumnal, october, november, autumn leaf, fall foliage, harvest, fall colour, fall color'],
  ['spring', 'spring, springtime, april, cherry blossom, sakura, blossom, blossoming'],
  [
    'winter',
    'winter, wintry, frost, frosty, frozen, ice, icy, snow, snowy, snowing, blizzard, christmas, snowfall, arctic',
  ],
  ['winter', 'snow covered, snowman, iceberg, december, january'],
  ['summer', 'summer, summery, summertime, june, july, august'],
]

export const moodWords: readonly (readonly [Mood, string])[] = [
  ['dramatic', 'dramatic, epic, powerful, intense, majestic, grand, bold, fierce, energetic, dynamic, striking'],
  ['calm', 'calm, peaceful, serene, quiet, tranquil, gentle, minimal, minimalist, soft, still, relaxing, subtle, zen'],
  [
    'dreamy',
    'dreamy, dreamlike, magical, fantasy, surreal, ethereal, mystical, enchanted, fairytale, fairy tale, pastel',
  ],
  [
    'gloomy',
    'gloomy, sad, lonely, melancholy, melancholic, moody, mysterious, spooky, dark, eerie, haunted, abandoned',
  ],
  ['happy', 'happy, cheerful, joyful, vibrant, colourful, colorful, playful, lively, fun, festive, bright colour'],
]
