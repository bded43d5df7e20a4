import { createContext, type ReactNode, useContext, useState } from 'react'

const Container = createContext<HTMLElement | null>(null)

/** The element that holds popups. It is inside the main landmark, because all content belongs to a landmark. */
export function PopupContainer({ children }: { readonly children: ReactNode }) {
  const [element, setElement] = useState<HTMLElement | null>(null)
  return (
    <Container value={element}>
      {children}
      <div ref={setElement} />
    </Container>
  )
}

export function usePopupContainer(): HTMLElement | null {
  return useContext(Container)
}
