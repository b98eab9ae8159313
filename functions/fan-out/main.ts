import { optimizeLate } from '../../src/late-optimization.ts'
import { main } from '../../src/run.ts'
import { fanOut } from './fan-out.ts'

optimizeLate()
await main(fanOut)
