import { type Color, blend, hex, mix, scaled } from '../pixels/color.ts'
import { type Ramp, createRamp } from '../pixels/ramp.ts'
import type { Random } from '../pixels/random.ts'
import type { Reading } from '../prompt/reading.ts'
import type { Time, Weather } from '../prompt/meaning.ts'

/** Where the light of a scene comes from, and what it does to colors. */
export interface Light {
  readonly time: Time
  readonly weather: Weather
  readonly night: boolean
  /** The sun stands near the horizon. */
  readonly low: boolean
  /** From zenith, 0, to horizon, 1. */
  readonly sky: Ramp
  /** The color that distance fades into. */
  readonly haze: Color
  readonly sunColor: Color
  /** The light on lit sides and on shaded ones: an object's color is multiplied by these. */
  readonly lit: Color
  readonly shade: Color
  /** The side that the light comes from: -1 left, 1 right. */
  readonly side: 1 | -1
  /** How far along the width the sun stands, and how high above the horizon as a share of the sky. */
  readonly sunAcross: number
  readonly sunHeight: number
  /** 0 where the sun or moon is behind clouds. */
  readonly sunStrength: number
  /** How thick the air is, 1 on a clear day. */
  readonly hazeStrength: number
}

type Hour = { sky: readonly (readonly [number, string])[]; sun: string; lit: string; shade: string }

const hours: Readonly<Record<Time, Hour>> = {
  dawn: {
    sky: [[0, '#3d5f96'], [0.35, '#8494c4'], [0.62, '#d9aebf'], [0.84, '#f5c9b0'], [1, '#fbdfc4']],
    sun: '#fff1cf', lit: '#f7dcc6', shade: '#8d8bb0',
  },
  day: {
    sky: [[0, '#2467b5'], [0.4, '#559cdb'], [0.75, '#a3d0ee'], [1, '#e3f1f6']],
    sun: '#fffbe6', lit: '#fff9ea', shade: '#98a9c6',
  },
  sunset: {
    sky: [[0, '#262a63'], [0.3, '#5c3f85'], [0.55, '#b95a78'], [0.78, '#ec8566'], [0.93, '#f8b483'], [1, '#fbcfa2']],
    sun: '#fff0c4', lit: '#ffc99a', shade: '#6f5b86',
  },
  dusk: {
    sky: [[0, '#10183f'], [0.35, '#28366f'], [0.62, '#5c568f'], [0.84, '#b97f92'], [1, '#f0b08f']],
    sun: '#ffd7b0', lit: '#a48fa8', shade: '#454a74',
  },
  night: {
    sky: [[0, '#050a20'], [0.4, '#0b1738'], [0.75, '#1b2f5a'], [1, '#3b5280']],
    sun: '#eef1e6', lit: '#6f83ac', shade: '#27345a',
  },
} // prettier-ignore

const stormSky = [[0, '#222a35'], [0.4, '#414c59'], [0.75, '#717d88'], [1, '#a9b2b5']] as const // prettier-ignore
const neonSky = [[0, '#09051f'], [0.4, '#280b47'], [0.7, '#6d1669'], [0.9, '#d8417f'], [1, '#ff9a90']] as const // prettier-ignore

/** Settles the light from what the prompt says; what it leaves open is chance. */
export function lightFor(reading: Reading, random: Random): Light {
  const time = reading.time ?? timeByChance(reading, random)
  const weather = reading.weather ?? 'clear'
  const side = random.sign()
  const hour = hours[time]
  const night = time === 'night'
  const low = time === 'dawn' || time === 'sunset' || time === 'dusk'
  const rainbow = reading.subjects.some(({ object }) => object === 'rainbow')
  const wet = weather === 'storm' || weather === 'rain'
  const sky = createRamp(skyStops(reading, time, weather))
  const dulled = wet ? 0.55 : weather === 'cloudy' || weather === 'fog' || weather === 'snow' ? 0.3 : 0
  const gray: Color = night ? hex('#3a4560') : hex('#aab2bd')
  return {
    time,
    weather,
    night,
    low,
    sky,
    haze: weather === 'fog' ? mix(sky.at(0.9), hex(night ? '#4a5878' : '#e4e4e2'), 0.35) : sky.at(0.95),
    sunColor: hex(hour.sun),
    lit: mix(hex(hour.lit), gray, dulled),
    shade: mix(hex(hour.shade), scaled(gray, 0.75), dulled),
    side,
    sunAcross: 0.5 + side * random.between(0.14, 0.3),
    sunHeight: night ? random.between(0.66, 0.8) : low ? random.between(0.05, 0.16) : random.between(0.66, 0.8),
    // A rainbow stands opposite the sun, which is then behind the viewer.
    sunStrength: wet ? 0 : rainbow ? 0.2 : weather === 'fog' ? 0.35 : weather === 'cloudy' ? 0.5 : 1,
    hazeStrength: weather === 'fog' ? 2.6 : wet ? 1.7 : weather === 'snow' ? 1.35 : 1,
  }
}

const nightly: ReadonlySet<string> = new Set(['moon', 'aurora', 'firework', 'comet', 'sky lantern', 'campfire'])

function timeByChance({ mood, weather, subjects, traits }: Reading, random: Random): Time {
  if (traits.has('stars') || subjects.some(({ object }) => nightly.has(object))) return 'night'
  if (weather === 'rain' || weather === 'storm' || mood === 'happy') return 'day'
  if (mood === 'dramatic') return random.pick(['sunset', 'dusk'])
  if (mood === 'gloomy') return random.pick(['dusk', 'dawn'])
  return random.pick(['sunset', 'day', 'dawn', 'day'])
}

function skyStops(reading: Reading, time: Time, weather: Weather): (readonly [number, Color])[] {
  const neon = reading.traits.has('neon') && (time === 'night' || time === 'sunset')
  const stormy = (weather === 'storm' || weather === 'rain') && time === 'day'
  const stops = (neon ? neonSky : stormy ? stormSky : hours[time].sky).map(([at, code]) => [at, hex(code)] as const)
  const tints = reading.parts.get('sky') ?? reading.colors
  const bound = reading.parts.has('sky') ? 0.68 : 0.42
  return stops.map(([at, color], index) => {
    let toned: Color = color
    if (weather === 'cloudy' || weather === 'fog' || weather === 'snow') toned = blend(toned, overcast(time), 0.4)
    if (stormy === false && (weather === 'storm' || weather === 'rain')) toned = blend(toned, hex('#232a38'), 0.5)
    if (reading.mood === 'dreamy')
      toned = blend(toned, hex(index % 2 ? '#f3b6e0' : '#9fb4ff'), time === 'night' ? 0.12 : 0.26)
    if (reading.mood === 'gloomy') toned = blend(toned, hex('#4d5663'), 0.42)
    const tint = tints[index < stops.length / 2 ? Math.min(1, tints.length - 1) : 0]
    return [at, tint ? blend(toned, tint, bound * (0.6 + 0.4 * (1 - at))) : toned] as const
  })
}

function overcast(time: Time): Color {
  return hex({ dawn: '#c5bcc6', day: '#bcc6cf', sunset: '#b48f96', dusk: '#585b78', night: '#222c44' }[time])
}
