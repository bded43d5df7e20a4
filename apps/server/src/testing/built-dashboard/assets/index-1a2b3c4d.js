document.title = 'Fairlead'
