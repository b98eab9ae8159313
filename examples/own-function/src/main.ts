import { main } from 'krm-variants/sdk'
import { addTeam } from './add-team.ts'

await main(addTeam, {
  version: '1.0.0',
  doc: { short: 'Labels every object with its team.', image: 'localhost/add-team' },
})
