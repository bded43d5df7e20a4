import { Command } from 'commander'
import { withOffline } from '../with-offline.ts'

export function acceptImagesCommand(): Command {
  return new Command('accept-images')
    .description('make the images of this node those of all nodes on its database, after they were moved or replaced')
    .action(async () => {
      await withOffline(({ acceptImages }) => acceptImages())
      console.log('Accepted. Nodes with other images are not ready from now on.')
    })
}
