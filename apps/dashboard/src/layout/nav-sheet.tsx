import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { IconButton } from '../components/icon-button.tsx'
import { Menu as MenuIcon } from '../components/icons.tsx'
import { usePopupContainer } from '../components/popup-container.tsx'
import { SideNav } from './side-nav.tsx'

/** The navigation on a phone: a sheet over the page. */
export function NavSheet() {
  const [open, setOpen] = useState(false)
  const container = usePopupContainer()
  return (
    <Dialog.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Dialog.Trigger render={<IconButton icon={MenuIcon} label="Open the navigation" className="-ml-2 md:hidden" />} />
      <Dialog.Portal container={container}>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop md:hidden" />
        <Dialog.Popup
          aria-label="Navigation"
          className="fixed inset-y-0 left-0 z-50 w-64 border-r border-line bg-canvas shadow-lg outline-none md:hidden"
        >
          <SideNav collapsed={false} onNavigate={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
