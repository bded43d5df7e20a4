import { airplane, airship, helicopter } from './aircraft.ts'
import { pyramid, ruins } from './antiquity.ts'
import { aurora } from './aurora.ts'
import { hotAirBalloon, partyBalloons } from './balloons.ts'
import { beachChair, parasol, sandcastle, surfboard } from './beach-things.ts'
import { bicycle } from './bicycle.ts'
import { birds } from './birds.ts'
import { buoy, rowboat } from './boats.ts'
import { cactus } from './cactus.ts'
import { campfire, lantern, logPile, rocks } from './campsite.ts'
import { bus, car } from './cars.ts'
import { castle } from './castle.ts'
import { comet } from './comet.ts'
import { crystal } from './crystal.ts'
import type { Drawable } from './drawable.ts'
import { ferrisWheel } from './ferris-wheel.ts'
import { haystack, pumpkin, reeds } from './field-plants.ts'
import { fireworks } from './fireworks.ts'
import { flag } from './flag.ts'
import { flower, sunflower } from './flowers.ts'
import { fountain } from './fountain.ts'
import { hedge } from './hedge.ts'
import { barn, cabin, church, house, tent } from './houses.ts'
import { iceberg } from './iceberg.ts'
import { kite } from './kite.ts'
import { lighthouse } from './lighthouse.ts'
import { windTurbine, windmill } from './mills.ts'
import { moon } from './moon.ts'
import { mushroom } from './mushroom.ts'
import { pagoda } from './pagoda.ts'
import { palm } from './palm.ts'
import { pier } from './pier.ts'
import { earth, planet, ringedPlanet } from './planet.ts'
import { bareTree, cherryTree, pineTree, tree } from './planted-trees.ts'
import { rainbow } from './rainbow.ts'
import { sailboat, tallShip } from './sailing-vessels.ts'
import { ship } from './ship.ts'
import { skyLantern } from './sky-lantern.ts'
import { snowman } from './snowman.ts'
import { flyingSaucer, rocket, satellite } from './spacecraft.ts'
import { streetLamp } from './street-lamp.ts'
import { telescope } from './telescope.ts'
import { torii } from './torii.ts'
import { clockTower, tower } from './towers.ts'
import { train } from './train.ts'
import { volcano } from './volcano.ts'
import { waterfall } from './waterfall.ts'
import { archBridge, bridge, waterLilies } from './waterside.ts'
import { bench, fence, mailbox, signpost } from './wayside.ts'

/** Everything that `vista` can draw. Where two claim one phrase, the first has it. */
export const objectTable: readonly Drawable[] = [
  moon,
  planet,
  ringedPlanet,
  earth,
  aurora,
  rainbow,
  comet,
  fireworks,
  birds,
  hotAirBalloon,
  partyBalloons,
  skyLantern,
  kite,
  airplane,
  helicopter,
  airship,
  rocket,
  satellite,
  flyingSaucer,
  volcano,
  waterfall,
  castle,
  lighthouse,
  windmill,
  windTurbine,
  church,
  tower,
  clockTower,
  pagoda,
  torii,
  pyramid,
  ruins,
  ferrisWheel,
  bridge,
  archBridge,
  train,
  cabin,
  house,
  barn,
  sailboat,
  rowboat,
  ship,
  tallShip,
  buoy,
  iceberg,
  pier,
  waterLilies,
  cherryTree,
  pineTree,
  bareTree,
  tree,
  palm,
  cactus,
  sunflower,
  flower,
  mushroom,
  reeds,
  pumpkin,
  haystack,
  hedge,
  tent,
  campfire,
  lantern,
  logPile,
  rocks,
  fence,
  signpost,
  mailbox,
  fountain,
  streetLamp,
  car,
  bus,
  bicycle,
  bench,
  snowman,
  parasol,
  beachChair,
  surfboard,
  sandcastle,
  flag,
  telescope,
  crystal,
]

const byName = new Map(objectTable.map((object) => [object.name, object]))

/** The object of that name. */
export function objectNamed(name: string): Drawable | undefined {
  return byName.get(name)
}
