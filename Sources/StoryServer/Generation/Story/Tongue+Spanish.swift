extension Tongue {
  static let spanish = Tongue(
    tales: [
      .bedtime: Tale(
        titles: ["{name} da las buenas noches a la luna", "La luna en la ventana"],
        opening: [
          """
          La casa se fue quedando en silencio, cuarto por cuarto. Dormía la cocina, dormía la escalera, y \
          bajo el tejado solo una lámpara pequeña seguía despierta. En la cama junto a la ventana, con la \
          manta hasta la barbilla, {name} tenía los ojos muy abiertos.
          """,
          """
          Fuera, el último pájaro había dejado de cantar, y las farolas se encendían una tras otra como una \
          fila de lunas amarillas. En la habitación bajo el tejado, al borde de la cama, {name} escuchaba \
          cómo llegaba la noche.
          """,
        ],
        wish: [
          """
          Había una cosa que no podía esperar hasta mañana: desear buenas noches a la luna. Ayer todavía \
          estaba allí, redonda y amable, encima de la chimenea. «Solo una palabrita», susurró {name}, «y \
          después a dormir».
          """
        ],
        trouble: [
          """
          Pero esta noche el cielo estaba cubierto. Las nubes se apilaban como almohadas en un armario, y no \
          pasaba ni un rayo. En el alféizar había una lechuza joven que se había perdido. «Sin la luna no \
          encuentro mi árbol», dijo con una voz muy pequeña.
          """
        ],
        help: [
          """
          La lamparita viajó hasta la ventana, y su luz cayó sobre el jardín como un sendero estrecho. \
          Luego {name} empezó a tararear, despacio, la canción que desde siempre se cantaba en aquel \
          cuarto. La lechuza giró la cabeza. A lo lejos respondió otra lechuza, una vez, dos veces, y ahora \
          el camino a casa se oía incluso en la oscuridad.
          """
        ],
        end: [
          """
          La lechuza abrió las alas y se marchó sin hacer ruido. Justo entonces las nubes se apartaron un \
          poco, como una cortina que alguien abre con un dedo. Allí estaba la luna. «Buenas noches», dijo \
          {name}, y de verdad pareció que la luna inclinaba la cabeza.
          """
        ]),
      .schoolDay: Tale(
        titles: ["{name} y la hoja voladora", "Un día de viento en la escuela"],
        opening: [
          """
          Aquella mañana la escuela olía a tiza, a chaquetas mojadas y a las manzanas de la cesta grande junto a \
          la puerta. La campana ya había sonado. En la tercera fila, al lado de la ventana, {name} sostenía \
          una hoja doblada y desdoblada tantas veces que era suave como una tela.
          """
        ],
        wish: [
          """
          En la hoja había un poema. Tenía ocho versos y había costado una semana entera. Hoy tocaba leerlo en \
          voz alta, delante de todo el mundo, y nada le importaba más a {name} que llegar al último verso sin \
          tropezar.
          """
        ],
        trouble: [
          """
          Entonces alguien abrió la ventana. Entró una ráfaga de viento, miró a su alrededor, tomó la hoja y \
          volvió a salir. El poema cruzó el patio, dio una voltereta y fue a parar a lo más alto del castaño. \
          Toda la clase corrió a mirar. «Se acabó», suspiró una voz desde el fondo.
          """
        ],
        help: [
          """
          «Hacen falta una escoba, una silla y toda la clase», dijo {name}. Una niña sujetó la silla, dos \
          niños la escoba, y el más pequeño daba las órdenes, porque desde abajo se ve mejor. La rama tembló, \
          las hojas susurraron, y el poema bajó despacio, de mano en mano, como si quisiera saludar a \
          cada cual.
          """
        ],
        end: [
          """
          Ahora llevaba una mancha verde con forma de hoja, y la clase decidió que aquel era el noveno \
          verso. Los otros ocho los leyó {name} con voz clara, sin que nadie tosiera. Después el poema quedó \
          colgado en la pared, junto a la ventana, esta vez bien cerrada.
          """
        ]),
      .birthday: Tale(
        titles: ["{name} y la fiesta que bajó la escalera", "Una silla para cada cual"],
        opening: [
          """
          El día empezó con olor a vainilla. Había estrellas de papel en la lámpara, una tarta que se \
          inclinaba un poco hacia un lado y una puerta que no se podía abrir hasta que se oyera «¡Ahora!». \
          Detrás de esa puerta, en calcetines, {name} contaba los segundos.
          """
        ],
        wish: [
          """
          Los regalos estaban bien, y la tarta, mejor todavía. Pero el verdadero deseo de este cumpleaños era \
          otro: toda la familia alrededor de una sola mesa, los primos pequeños, los tíos ruidosos y, sobre \
          todo, el abuelo, que sabía las mejores historias.
          """
        ],
        trouble: [
          """
          A las tres sonó el teléfono. Era el abuelo, desde el portal. El ascensor no funcionaba, y cinco \
          pisos eran demasiados para sus rodillas. «Celebradlo arriba», dijo, «y yo saludaré desde la \
          calle». Alrededor de la tarta se hizo un gran silencio.
          """
        ],
        help: [
          """
          «Si el abuelo no puede subir a la fiesta», dijo {name}, «la fiesta bajará hasta el abuelo». Cada \
          cual cogió algo: las sillas, la jarra, las estrellas de papel, la limonada. Hasta la tarta torcida \
          bajó, escalón por escalón, con cuatro personas de guardia, y llegó al patio inclinada hacia el \
          otro lado.
          """
        ],
        end: [
          """
          Los vecinos oyeron cantar y trajeron tazas y un banco. Al final había dos mesas y aun así faltaba \
          sitio. El abuelo contó la historia de la cabra en el tranvía, y cuando se apagaron las velas, a \
          {name} ya no le quedaba nada que desear.
          """
        ]),
      .weekend: Tale(
        titles: ["{name} y el barquito", "Un barco llamado Sábado"],
        opening: [
          """
          El sábado se extendía como un prado sin valla. No había campana ni mochila, solo un trozo de madera, \
          un ovillo de cuerda y un pañuelo viejo de lunares azules. Cuando el desayuno se quedó frío, \
          {name} ya había hecho de todo aquello un barco.
          """
        ],
        wish: [
          """
          Era un buen barco, con una vela de lunares. Ahora tenía que viajar arroyo abajo, pasar el sauce y \
          las tres piedras planas y llegar hasta el puente de madera. «Todo el camino y sin ayuda», dijo \
          {name} al dejarlo con cuidado en el agua.
          """
        ],
        trouble: [
          """
          La primera curva salió bien. En la segunda el barco empezó a dar vueltas, y entre las piedras \
          planas se quedó atascado. Allí había muy poca agua. En la orilla, una pata con cinco patitos \
          tampoco podía seguir. Todos miraban el barco como si tuviera la culpa.
          """
        ],
        help: [
          """
          Piedrecita a piedrecita creció un muro pequeño en medio de la corriente, lo justo para hacer esperar \
          al agua. Llevó mucho tiempo, y los calcetines acabaron mojados hasta la rodilla. Entonces el arroyo \
          subió un palmo, levantó el barco por encima de las piedras, y los cinco patitos pasaron detrás, en \
          fila. Desde la orilla, {name} aplaudió.
          """
        ],
        end: [
          """
          Al puente llegaron a la vez el barco, los patos y, sin aliento de tanto correr, también {name}. \
          Después el muro volvió a desaparecer, para que el arroyo fuera por donde quisiera. De camino a \
          casa, la vela se secaba al viento de la tarde.
          """
        ]),
      .rainyDay: Tale(
        titles: ["{name} y la calle que se hizo lago", "Adónde va la lluvia"],
        opening: [
          """
          Llovía desde el desayuno. La lluvia tamborileaba en el tejado, susurraba en el canalón, y en el \
          cristal las gotas hacían carreras que nadie ganaba. Con la nariz contra la ventana, {name} veía \
          cómo la calle pasaba del gris al plateado.
          """
        ],
        wish: [
          """
          ¿Adónde va toda esa agua? En la mesa nadie había sabido contestar. Así que salieron del armario las \
          botas amarillas y el paraguas grande de la varilla torcida, porque {name} quería seguir la lluvia \
          hasta el final.
          """
        ],
        trouble: [
          """
          El rastro iba junto a la acera, pasaba por la panadería y doblaba la esquina. Allí se detenía. El \
          agua se había vuelto un lago, y el lago avanzaba hacia la puerta de la vieja señora Tilo, que \
          esperaba detrás con una fregona sin saber por dónde empezar. «¡Viene más deprisa de lo que puedo \
          secar!», gritó.
          """
        ],
        help: [
          """
          El final de la lluvia ya era fácil de encontrar: era una reja de hierro, y encima estaba medio \
          otoño de hojas. Con un rastrillo y con las dos manos, {name} las fue apartando, un montón y \
          otro montón. De pronto se oyó un gorgoteo, hondo y satisfecho, y el lago empezó a girar y a bajar.
          """
        ],
        end: [
          """
          Después hubo chocolate detrás de la puerta y una toalla caliente. La señora Tilo habló de los tubos \
          bajo la ciudad, del río y del mar que está al final de todo. «Así que allí va», dijo {name}, y \
          fuera la lluvia sonaba como un aplauso.
          """
        ]),
      .family: Tale(
        titles: ["{name} y la foto de toda la familia", "Que nadie se mueva"],
        opening: [
          """
          El domingo se juntó la familia entera: las tías con los moldes de pastel, el tío del acordeón, los \
          gemelos que nunca paraban y el bebé con su único diente. La casa zumbaba como una colmena. En medio, \
          con la vieja cámara colgada al cuello, esperaba {name}.
          """
        ],
        wish: [
          """
          Encima del sofá había muchas fotos, pero en cada una faltaba alguien. Hoy, por fin, habría una con \
          toda la gente. El sitio ya lo había elegido {name}: debajo del manzano, donde la luz era suave.
          """
        ],
        trouble: [
          """
          Era como cazar gorriones. Cuando estaban los gemelos, el tío afinaba el acordeón. Cuando venía el \
          tío, las tías discutían por una cucharada de azúcar. El bebé se echó a llorar, luego uno de los \
          gemelos, y una nube se puso delante del sol. «Dejémoslo», suspiró alguien.
          """
        ],
        help: [
          """
          En vez de llamar otra vez, {name} se sentó en la hierba y cantó, muy bajito, la canción de los siete \
          gansos. En aquella familia se la sabía todo el mundo. Se unió el acordeón, y después las tías, a \
          dos voces. Los gemelos vinieron a hacer de gansos, y el bebé olvidó las lágrimas y llevó el compás con \
          una cuchara.
          """
        ],
        end: [
          """
          En la última estrofa la cámara hizo clic. La foto salió algo torcida, un ganso se había movido, y la \
          cuchara era solo una raya brillante. Pero no faltaba nadie. Ahora ocupa el mejor lugar encima del \
          sofá, y quien la mira empieza a cantar, lo mismo que {name}.
          """
        ]),
      .friendship: Tale(
        titles: ["{name} y la niña de al lado", "Una calle pintada con tiza"],
        opening: [
          """
          Hacía semanas que la casa de al lado estaba vacía. De repente había cajas en la acera, una bicicleta \
          azul y una jaula con dos pájaros verdes. En los escalones estaba una niña que se llamaba Noor. Por \
          encima del seto, entre dos hojas, miraba {name}.
          """
        ],
        wish: [
          """
          No es fácil jugar sin nadie en una calle. ¡Qué bueno sería tener a alguien para la rayuela, para \
          los secretos y para las tardes de lluvia! «Hoy voy y saludo», dijo {name}, y se llevó la pelota \
          roja, porque con una pelota es más fácil empezar.
          """
        ],
        trouble: [
          """
          Pero Noor no entendía ni una palabra. Hablaba otro idioma, rápido y redondo como las piedras de un \
          río. Cuando la pelota rodó hasta sus pies, creyó que era un regalo y se la llevó dentro. La puerta se \
          cerró. Fuera quedó {name}, sin pelota y sin amiga.
          """
        ],
        help: [
          """
          En el fondo de un bolsillo había todavía un trozo de tiza. En la acera {name} dibujó una casa, y \
          luego otra, y entre las dos, una pareja de niños con una pelota. La puerta se abrió un poco. Noor \
          salió, miró, se rio y cogió la tiza. Junto a las casas dibujó los pájaros, un mar y un barco que venía \
          de lejos.
          """
        ],
        end: [
          """
          Por la tarde la calle entera estaba llena de dibujos. Cada parte había aprendido seis palabras del \
          idioma de la otra, y la más bonita quería decir «mañana». La pelota roja se quedó entre las dos \
          puertas, justo en medio, donde Noor la encontraría tan pronto como {name}.
          """
        ]),
      .learning: Tale(
        titles: ["{name} y la bicicleta verde", "Hasta el tilo"],
        opening: [
          """
          La bicicleta era verde, y su timbre sonaba como una rana contenta. Desde la primavera esperaba \
          apoyada en la pared. Esa mañana habían quitado las dos ruedas pequeñas de atrás, y ahora parecía \
          más alta que antes. A su alrededor, {name} dio tres vueltas.
          """
        ],
        wish: [
          """
          Al final del camino había un tilo. Los mayores iban hasta allí a toda velocidad, tocaban la corteza \
          y volvían. Llegar a ese árbol sin que nadie sujetara el sillín: con eso soñaba {name} desde hacía \
          una semana.
          """
        ],
        trouble: [
          """
          El primer intento terminó en el seto. El segundo, en la hierba, y el tercero, al lado de un gato muy \
          sorprendido. Una rodilla ardía, el manillar estaba torcido, y detrás de la verja alguien soltó \
          una risita. ¿Y si era demasiado difícil? El árbol parecía tan lejano como la luna.
          """
        ],
        help: [
          """
          Todo el camino de una vez, no, sino solo hasta el buzón. Y luego, solo hasta el banco. ¡La vista al \
          frente y no al suelo! Con cada vuelta de pedal {name} contaba en voz alta, cinco, y nueve, y catorce, y \
          en algún momento después del veinte la bicicleta dejó de temblar, como si hubiera comprendido.
          """
        ],
        end: [
          """
          La corteza del tilo era áspera y tibia. Con una mano apoyada en ella, {name} escuchó un rato las \
          abejas. A la vuelta el timbre de rana no calló ni un instante, y hasta el gato se apartó con educación. \
          La rodilla hacía tiempo que ya no dolía.
          """
        ]),
      .helping: Tale(
        titles: ["{name} y la gata del tejado", "Una tabla, un cuenco y un poco de tiempo"],
        opening: [
          """
          En la casa de la esquina vivían el señor Bruno, que era viejo y caminaba con dos bastones, y su gata \
          Minka, que era joven y caminaba por donde quería. Cada tarde se sentaban en el mismo banco. Cuando \
          {name} pasó aquel día, faltaba una de las dos figuras.
          """
        ],
        wish: [
          """
          «Minka no ha vuelto desde anoche», dijo el señor Bruno, y acarició el sitio vacío. No había mucho \
          que pensar. «Yo la encontraré», dijo {name}, y nada aquella tarde parecía más importante.
          """
        ],
        trouble: [
          """
          No estaba debajo del seto ni en el sótano. Por fin llegó de arriba un sonido muy fino: en el tejado del \
          cobertizo, justo en el borde, temblaba Minka. Un perro la había perseguido hasta allí. Ya no sabía \
          bajar, y a cada llamada retrocedía un poco más.
          """
        ],
        help: [
          """
          Trepar estaba prohibido, y llamar lo empeoraba. Así que una tabla larga quedó apoyada en el tejado, \
          con un cuenco de leche al pie, y al lado se sentó {name} con un libro. Página tras página sonó la \
          lectura, en voz alta y tranquila, como si no hubiera gatos en el mundo. Tras la cuarta página, dos \
          patas estaban ya en la tabla.
          """
        ],
        end: [
          """
          Minka se bebió la leche hasta la última gota. Luego se dejó llevar a casa, ronroneando como un motor \
          pequeño. El señor Bruno no dijo nada, solo hizo sitio en el banco. Cabían los tres, y allí se \
          quedó {name} hasta que salió la primera estrella.
          """
        ]),
      .holiday: Tale(
        titles: ["{name} y el cangrejo de una pinza", "La caracola que conocía el mar"],
        opening: [
          """
          Tras la última colina apareció el mar, más grande que en todas las fotos. Olía a sal y a lejanía. \
          Apenas estuvieron las maletas en el suelo, {name} corrió con los pies descalzos hasta el lugar \
          exacto donde la arena se vuelve oscura.
          """
        ],
        wish: [
          """
          En casa alguien había hablado de caracolas donde el mar sigue sonando, incluso en un cuarto, \
          incluso en invierno. Había que encontrar una, hoy mismo, antes de la puesta del sol. Paso a paso, \
          {name} recorrió la larga línea de espuma.
          """
        ],
        trouble: [
          """
          Entre las piedras estaba la caracola más bonita de todas, a rayas como un caramelo. Pero en cuanto \
          la mano se acercó, echó a andar. ¡Dentro vivía un cangrejo pequeño con una sola pinza! La marea \
          lo había dejado en un hoyo, y allí el agua se volvía tibia y cada vez más escasa.
          """
        ],
        help: [
          """
          Con las dos manos y una pala de playa, {name} cavó un canal desde el hoyo hasta el mar. Dos veces se \
          deslizó la arena, y dos veces hubo que cavar de nuevo, más hondo. Entonces la primera ola encontró el \
          camino. El cangrejo esperó, levantó la pinza como para saludar y se dejó llevar.
          """
        ],
        end: [
          """
          En el lugar del cangrejo quedó otra caracola, gris, sencilla y vacía. No tenía ni una raya. Pero al \
          ponerla junto al oído se oía un rumor suave y sin fin. En la maleta con la que {name} volvió a \
          casa, viajó dentro de un calcetín.
          """
        ]),
    ],
    own: Tale(
      titles: ["{name} y «{event}»", "«{event}», una historia para {name}"],
      opening: [
        """
        Algunos días se parecen a todos los demás cuando empiezan. El pan está en la mesa, el reloj hace \
        tictac, y en algún lugar se cierra una puerta. Así era aquella mañana, pero {name} supo enseguida qué \
        día iba a ser: el día que se llama «{event}».
        """
      ],
      wish: [
        """
        Todo empezó con una idea, y la idea decía así: «{seed}» Con una idea así en la cabeza no se puede estar \
        quieto mucho tiempo. De modo que {name} se puso los zapatos, primero el izquierdo, y salió a ver qué \
        pasaba. La historia debía tener su propio tono: «{tone}».
        """
      ],
      trouble: [
        """
        Al principio todo fue como la seda. Pero a mitad de camino el sendero se acabó, sin una sola señal. \
        Delante había una maraña de preguntas y nadie a la vista para contestarlas. Habría sido fácil dar \
        media vuelta. Sobre un poste, un pajarito ladeó la cabeza, como si esperara una decisión.
        """
      ],
      help: [
        """
        «Una cosa detrás de otra», dijo {name} al pajarito. La pregunta más grande se partió en pequeñas, y las \
        pequeñas ya no daban miedo. Una se resolvió mirando de cerca, otra preguntando con educación, y la \
        última con una carcajada. Detrás de ellas seguía el sendero, igual que antes.
        """
      ],
      end: [
        """
        Por la noche hubo mucho que contar en la mesa. «{event}» se había convertido en un día para recordar, \
        algo distinto de lo previsto, y mejor. El pajarito del poste estaba ya en el alféizar, y {name} dejó la \
        ventana abierta un palmo.
        """
      ]),
    keywords: "En el cuaderno de aquel día había solo unas palabras: {keywords}.",
    hero: [
      "Al conocer a {name}, pronto se notaba {having}.",
      "Pasar un día con {name} era encontrar {having}.",
      "Si alguien buscaba {having}, tenía que llamar a {name}.",
    ],
    age: "Con {age} años ya se saben unas cuantas cosas y todavía asombran todas las demás.",
    words: "Los amigos tenían sus propias palabras para decirlo: {words}.",
    gift: [
      "Y había algo más, escrito en una línea en la primera página de un diario: «{gift}».",
      "Existía además un don especial que no todo el mundo conocía: «{gift}».",
      "También había un secreto, y era corto: «{gift}».",
    ],
    turn: [
      """
      Por un momento no se oyó más que el latido de un corazón. Entonces {name} respiró hondo una vez, y luego \
      otra. Si algo podía ayudar ahora, era {trait}.
      """,
      """
      Con los ojos cerrados, {name} contó despacio hasta tres. En el uno solo había preocupación, en el dos \
      llegó una idea, y en el tres volvió {trait} como una mano cálida en el hombro.
      """,
      """
      Otra persona quizá se habría rendido. Pero {name} se quedó y volvió a mirar el asunto por todos los \
      lados. Lo que marcó la diferencia fue {trait}.
      """,
    ],
    giftTurn: [
      "¿Y no existía aquella línea, «{gift}»? En un día así es bueno recordarla.",
      "¿Cómo era aquello? «{gift}». No podía haber mejor momento.",
      "En silencio, también el don secreto se hizo notar, y todo se volvió un poco más ligero.",
    ],
    close: [
      """
      Más tarde se apagó la luz, y la noche extendió su manta suave sobre los tejados. Todo lo que había que \
      hacer estaba hecho. Que duermas bien, {name}, y que duerma bien quien haya escuchado.
      """,
      """
      Cuando por fin la ventana quedó a oscuras, sobre la almohada seguía una sonrisa. Mañana sería otro día. \
      Pero este estaba completo, y en los sueños de {name} ya empezaba otro cuento.
      """,
      """
      Así terminó el día, despacio, como una hoja que baja flotando hasta el suelo. Las estrellas tomaron la \
      guardia. ¿Y en la cama? Allí dormía {name}, al calor de las mantas, sin una sola preocupación, hasta la \
      mañana.
      """,
    ],
    nouns: nouns([
      ("un buen corazón", "un buen corazón"), ("mucho valor", "el valor"),
      ("una gran curiosidad", "la curiosidad"), ("una gran amabilidad", "la amabilidad"),
      ("mucha paciencia", "la paciencia"), ("sentido del humor", "el sentido del humor"),
      ("mucha imaginación", "la imaginación"), ("una mente despierta", "el ingenio"),
      ("una voz tranquila", "la calma"), ("una alegría contagiosa", "la alegría"),
      ("mucha constancia", "la constancia"), ("una gran generosidad", "la generosidad"),
      ("espíritu de aventura", "el espíritu de aventura"),
      ("una sinceridad clara", "la sinceridad"),
    ]),
    quotes: ("«", "»"), and: " y ",
    // Before the sound of i "y" becomes "e", but not before a diphthong: "e Inés", "y hierba".
    euphony: { word, next in
      let start = next.lowercased()
      let sounds = ["i", "í", "hi", "hí"].contains { start.hasPrefix($0) }
      let isDiphthong = ["ia", "ie", "io", "iu", "hia", "hie", "hio"].contains {
        start.hasPrefix($0)
      }
      return word == "y" && sounds && !isDiphthong ? "e" : nil
    })
}
