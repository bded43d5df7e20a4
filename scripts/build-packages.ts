// node scripts/build-packages.ts: compiles and builds the packages that are published.
import { buildPackages } from './packed/pack.ts'

await buildPackages()
