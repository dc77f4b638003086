extension Tongue {
  static let italian = Tongue(
    tales: [
      .bedtime: Tale(
        titles: ["{name} dà la buonanotte alla luna", "La luna alla finestra"],
        opening: [
          """
          La casa si era fatta silenziosa, stanza dopo stanza. Dormiva la cucina, dormivano le scale, e sotto \
          il tetto soltanto una piccola lampada era ancora sveglia. Nel letto accanto alla finestra, con la \
          coperta fino al mento, {name} teneva gli occhi bene aperti.
          """,
          """
          Fuori, l’ultimo uccello aveva smesso di cantare, e i lampioni si accendevano uno dopo l’altro come \
          una fila di piccole lune gialle. Nella camera sotto il tetto, sul bordo del letto, {name} \
          ascoltava arrivare la notte.
          """,
        ],
        wish: [
          """
          C’era una cosa che non poteva aspettare domani: augurare la buonanotte alla luna. Ieri era ancora \
          lì, tonda e gentile, sopra il camino. «Solo una parolina», sussurrò {name}, «e poi dormo».
          """
        ],
        trouble: [
          """
          Ma stasera il cielo era coperto. Le nuvole stavano una sull’altra come cuscini in un armadio, e non \
          passava nemmeno un raggio. Sul davanzale c’era una giovane civetta che aveva perso la strada. «Senza \
          la luna non trovo più il mio albero», disse con una voce piccola piccola.
          """
        ],
        help: [
          """
          La lampada fu portata alla finestra, e la sua luce cadde sul giardino come un sentiero stretto. Poi \
          {name} cominciò a canticchiare, piano, la canzone che in quella stanza si cantava da sempre. La \
          civetta girò la testa. Da lontano rispose un’altra civetta, una volta, due volte, e ora la via di \
          casa si sentiva anche al buio.
          """
        ],
        end: [
          """
          La civetta aprì le ali e sparì senza un rumore. Proprio allora le nuvole si scostarono un poco, come \
          una tenda che qualcuno apre con un dito. Ecco la luna. «Buonanotte», disse {name}, e sembrò davvero \
          che la luna facesse un cenno.
          """
        ]),
      .schoolDay: Tale(
        titles: ["{name} e il foglio volante", "Un giorno di vento a scuola"],
        opening: [
          """
          Quella mattina la scuola profumava di gesso, di giacche bagnate e delle mele nel grande cesto accanto \
          alla porta. La campanella era già suonata. In terza fila, vicino alla finestra, {name} teneva in mano un \
          foglio piegato e spiegato tante volte che era morbido come stoffa.
          """
        ],
        wish: [
          """
          Sul foglio c’era una poesia. Aveva otto versi ed era costata una settimana intera. Oggi bisognava \
          leggerla ad alta voce, davanti a tutta la classe, e niente contava di più per {name} che arrivare \
          all’ultimo verso senza inciampare.
          """
        ],
        trouble: [
          """
          Allora qualcuno aprì la finestra. Una folata di vento entrò, si guardò intorno, prese il foglio e \
          uscì di nuovo. La poesia attraversò il cortile, fece una capriola e si posò in cima al castagno. \
          Tutta la classe corse a guardare. «È perduta», sospirò una voce in fondo.
          """
        ],
        help: [
          """
          «Servono una scopa, una sedia e tutta la classe», disse {name}. Una bambina tenne la sedia, due \
          bambini la scopa, e il più piccolo dava gli ordini, perché dal basso si vede meglio. Il ramo \
          tremò, le foglie frusciarono, e la poesia scese piano, di mano in mano, come se volesse salutare \
          tutti.
          """
        ],
        end: [
          """
          Adesso aveva una macchia verde a forma di foglia, e la classe decise che quello era il nono verso. \
          Gli altri otto li lesse {name} con voce chiara, senza un solo colpo di tosse intorno. Poi la poesia \
          fu appesa al muro, accanto alla finestra, questa volta ben chiusa.
          """
        ]),
      .birthday: Tale(
        titles: ["{name} e la festa che scese le scale", "Una sedia per ciascuno"],
        opening: [
          """
          La giornata cominciò con un profumo di vaniglia. C’erano stelle di carta sulla lampada, una torta \
          che pendeva un poco da una parte e una porta da non aprire prima che si sentisse «Adesso!». Dietro \
          quella porta, in calzini, {name} contava i secondi.
          """
        ],
        wish: [
          """
          I regali andavano bene, e la torta ancora meglio. Ma il vero desiderio di questo compleanno era un \
          altro: tutta la famiglia intorno a un solo tavolo, i cugini piccoli, gli zii rumorosi e soprattutto il \
          nonno, che sapeva le storie più belle.
          """
        ],
        trouble: [
          """
          Alle tre squillò il telefono. Era il nonno, giù nell’ingresso. L’ascensore era rotto, e cinque piani \
          erano troppi per le sue ginocchia. «Fate festa lassù», disse, «io vi saluto dalla strada». Intorno \
          alla torta scese un gran silenzio.
          """
        ],
        help: [
          """
          «Se il nonno non può salire alla festa», disse {name}, «la festa scenderà dal nonno». Ognuno prese \
          qualcosa: le sedie, la brocca, le stelle di carta, la limonata. Anche la torta storta fece le scale, \
          gradino per gradino, con quattro persone di guardia, e arrivò in cortile piegata dall’altra parte.
          """
        ],
        end: [
          """
          I vicini sentirono cantare e portarono tazze e una panca. Alla fine c’erano due tavoli e ancora \
          mancava posto. Il nonno raccontò la storia della capra sul tram, e quando le candeline si spensero, a \
          {name} non restava più niente da desiderare.
          """
        ]),
      .weekend: Tale(
        titles: ["{name} e la barchetta", "Una barca di nome Sabato"],
        opening: [
          """
          Il sabato si stendeva davanti come un prato senza steccato. Niente campanella, niente zaino, \
          soltanto un pezzo di legno, un gomitolo di spago e un vecchio fazzoletto a pallini blu. Quando il \
          latte fu freddo nella tazza, {name} ne aveva già fatto una barca.
          """
        ],
        wish: [
          """
          Era una bella barca con la vela a pallini. Ora doveva seguire il ruscello, passare il salice e le \
          tre pietre piatte e arrivare fino al ponte di legno. «Fino in fondo e senza aiuto», disse {name} \
          posandola con dolcezza sull’acqua.
          """
        ],
        trouble: [
          """
          La prima curva andò bene. Alla seconda la barca cominciò a girare, e tra le pietre piatte restò \
          incagliata. Lì l’acqua era troppo bassa. Sulla riva, nemmeno un’anatra con cinque anatroccoli \
          poteva proseguire. Guardavano la barca come se fosse colpa sua.
          """
        ],
        help: [
          """
          Sassolino dopo sassolino, un muretto crebbe attraverso la corrente, alto quanto bastava per far \
          aspettare l’acqua. Ci volle molto tempo, e i calzini si bagnarono fino al ginocchio. Poi il \
          ruscello salì di una spanna, sollevò la barca sopra le pietre, e i cinque anatroccoli la seguirono, in \
          fila. Dalla riva {name} batté le mani.
          """
        ],
        end: [
          """
          Al ponte arrivarono insieme la barca, le anatre e, col fiato corto per la corsa, anche {name}. Il \
          muretto venne disfatto, perché il ruscello potesse andare dove voleva. Sulla via di casa la vela si \
          asciugava al vento della sera.
          """
        ]),
      .rainyDay: Tale(
        titles: ["{name} e la strada che diventò un lago", "Dove va la pioggia"],
        opening: [
          """
          Pioveva dall’ora di colazione. La pioggia tamburellava sul tetto, bisbigliava nella grondaia, e sul \
          vetro le gocce facevano gare che nessuno vinceva. Con il naso contro la finestra, {name} guardava \
          la strada passare dal grigio all’argento.
          """
        ],
        wish: [
          """
          Dove va tutta quell’acqua? A tavola nessuno aveva saputo rispondere. Così uscirono dall’armadio gli \
          stivali gialli e il grande ombrello con la stecca storta, perché {name} voleva seguire la pioggia \
          fino alla fine.
          """
        ],
        trouble: [
          """
          La traccia correva lungo il marciapiede, passava davanti al panificio e girava l’angolo. Lì si \
          fermava. L’acqua era diventata un lago, e il lago avanzava verso la porta della vecchia signora \
          Tiglio, che stava dietro con uno straccio e non sapeva da dove cominciare. «Arriva più in fretta di \
          quanto io asciughi!», gridò.
          """
        ],
        help: [
          """
          La fine della pioggia ora era facile da trovare: era una grata di ferro, e sopra c’era mezzo autunno \
          di foglie. Con un rastrello e poi con due mani, {name} le tirò via, un mucchio e ancora un mucchio. \
          All’improvviso si sentì un gorgoglio, profondo e contento, e il lago cominciò a girare e a \
          calare.
          """
        ],
        end: [
          """
          Dopo, dietro la porta, ci furono cioccolata e un asciugamano caldo. La signora Tiglio raccontò dei \
          tubi sotto la città, del fiume e del mare che sta in fondo a tutto. «Allora è lì che va», disse \
          {name}, e fuori la pioggia pareva un applauso.
          """
        ]),
      .family: Tale(
        titles: ["{name} e la foto di tutti quanti", "Che nessuno si muova"],
        opening: [
          """
          La domenica si ritrovò tutta la famiglia: le zie con gli stampi delle torte, lo zio con la \
          fisarmonica, i gemelli che non stavano mai fermi e il bebè con il suo unico dente. La casa ronzava \
          come un alveare. Nel mezzo, con la vecchia macchina fotografica al collo, aspettava {name}.
          """
        ],
        wish: [
          """
          Sopra il divano c’erano molte foto, ma in ognuna mancava qualcuno. Oggi, finalmente, ce ne sarebbe \
          stata una con tutti quanti. Anche il posto era deciso: sotto il melo, dove la luce era morbida. Era \
          il più grande desiderio per {name}.
          """
        ],
        trouble: [
          """
          Era come acchiappare passeri. Quando c’erano i gemelli, lo zio accordava la fisarmonica. Quando \
          arrivava lo zio, le zie litigavano per un cucchiaio di zucchero. Il bebè scoppiò a piangere, poi uno dei \
          gemelli, e una nuvola si mise davanti al sole. «Lasciamo stare», sospirò qualcuno.
          """
        ],
        help: [
          """
          Invece di chiamare ancora, {name} si mise a sedere nell’erba e cantò, piano piano, la canzone delle \
          sette oche. In quella famiglia la sapevano tutti. Si unì la fisarmonica, poi le zie, a due voci. I \
          gemelli vennero a fare le oche, e il bebè dimenticò le lacrime e batté il tempo con un cucchiaio.
          """
        ],
        end: [
          """
          All’ultima strofa la macchina fece clic. La foto venne un po’ storta, un’oca si era mossa, e il \
          cucchiaio era soltanto una striscia lucente. Ma non mancava nessuno. Adesso ha il posto migliore \
          sopra il divano, e chi la guarda comincia a canticchiare, proprio come {name}.
          """
        ]),
      .friendship: Tale(
        titles: ["{name} e la bambina della porta accanto", "Una strada disegnata col gesso"],
        opening: [
          """
          Da settimane la casa accanto era vuota. Adesso c’erano scatole sul marciapiede, una bicicletta blu \
          e una gabbia con due uccelli verdi. Sui gradini sedeva una bambina di nome Noor. Sopra la siepe, tra \
          due foglie, guardava {name}.
          """
        ],
        wish: [
          """
          Non è facile giocare senza nessuno in una strada. Come sarebbe bello avere qualcuno per la campana, \
          per i segreti e per i pomeriggi di pioggia! «Oggi vado a salutare», disse {name}, e prese la palla \
          rossa, perché con una palla è più facile cominciare.
          """
        ],
        trouble: [
          """
          Ma Noor non capiva una parola. Parlava un’altra lingua, svelta e rotonda come i sassi di un \
          torrente. Quando la palla rotolò ai suoi piedi, pensò a un regalo e la portò in casa. La porta si \
          chiuse. Fuori restava {name}, senza palla e senza amica.
          """
        ],
        help: [
          """
          In fondo a una tasca c’era ancora un pezzo di gesso. Sul marciapiede {name} disegnò una casa, poi \
          un’altra, e in mezzo due bambini con una palla. La porta si aprì un poco. Noor uscì, guardò, rise e \
          prese il gesso. Accanto alle case disegnò gli uccelli, un mare e una nave venuta da lontano.
          """
        ],
        end: [
          """
          La sera tutta la strada era piena di disegni. Da una parte e dall’altra si erano imparate sei parole \
          nuove, e la più bella voleva dire «domani». La palla rossa rimase tra le due porte, esattamente nel \
          mezzo, dove Noor l’avrebbe trovata presto quanto {name}.
          """
        ]),
      .learning: Tale(
        titles: ["{name} e la bicicletta verde", "Fino al tiglio"],
        opening: [
          """
          La bicicletta era verde, e il suo campanello sembrava una rana allegra. Dalla primavera aspettava \
          appoggiata al muro. Quella mattina erano state tolte le due rotelle di dietro, e ora pareva più \
          alta di prima. Tutto intorno, {name} fece tre giri.
          """
        ],
        wish: [
          """
          In fondo alla stradina c’era un tiglio. I grandi ci andavano di corsa, toccavano la corteccia e \
          tornavano indietro. Arrivare a quell’albero senza una mano sul sellino: questo sognava {name} da una \
          settimana.
          """
        ],
        trouble: [
          """
          La prima prova finì nella siepe. La seconda finì nell’erba, e la terza accanto a un gatto molto \
          sorpreso. Un ginocchio bruciava, il manubrio era storto, e dietro il cancello qualcuno \
          ridacchiò. E se fosse stato troppo difficile? L’albero sembrava lontano come la luna.
          """
        ],
        help: [
          """
          Non tutta la strada in una volta, allora, ma solo fino alla cassetta delle lettere. E dopo solo fino \
          alla panchina. Occhi avanti, non in basso! A ogni giro di pedale {name} contava ad alta voce, cinque, \
          e nove, e quattordici, e da qualche parte dopo il venti la bicicletta smise di tremare, come se \
          avesse capito.
          """
        ],
        end: [
          """
          La corteccia del tiglio era ruvida e tiepida. Con una mano posata sopra, {name} ascoltò per un poco \
          le api. Al ritorno il campanello non tacque un istante, e perfino il gatto si scostò con \
          gentilezza. Il ginocchio non faceva più male da un pezzo.
          """
        ]),
      .helping: Tale(
        titles: ["{name} e la gatta sul tetto", "Un’asse, una ciotola e un po’ di tempo"],
        opening: [
          """
          Nella casa d’angolo vivevano il signor Bruno, che era vecchio e camminava con due bastoni, e la sua gatta \
          Minka, che era giovane e camminava dove voleva. Ogni pomeriggio sedevano sulla stessa panchina. \
          Quando {name} passò quel giorno, ne mancava una.
          """
        ],
        wish: [
          """
          «Minka non torna da ieri sera», disse il signor Bruno accarezzando il posto vuoto. Non c’era molto \
          da pensare. «La trovo io», disse {name}, e niente quel pomeriggio sembrava più importante.
          """
        ],
        trouble: [
          """
          Non era sotto la siepe e nemmeno in cantina. Finalmente dall’alto venne un suono sottile: sul tetto \
          della rimessa, proprio sul bordo, Minka tremava. Un cane l’aveva inseguita fin lassù. Non sapeva più \
          scendere, e a ogni richiamo si ritraeva ancora un poco.
          """
        ],
        help: [
          """
          Arrampicarsi era vietato, e chiamare peggiorava le cose. Così una lunga asse fu appoggiata al tetto, \
          con una ciotola di latte ai piedi, e lì accanto {name} aprì un libro. Pagina dopo pagina la storia fu \
          letta ad alta voce, con calma, come se al mondo non ci fossero gatti. Dopo la quarta pagina, due \
          zampe erano già sull’asse.
          """
        ],
        end: [
          """
          Minka bevve il latte fino all’ultima goccia. Poi si lasciò portare a casa, facendo le fusa come un \
          piccolo motore. Il signor Bruno non disse nulla, si spostò soltanto sulla panchina. C’era posto per \
          tre, e lì restò {name} fino alla prima stella.
          """
        ]),
      .holiday: Tale(
        titles: ["{name} e il granchio con una chela", "La conchiglia che conosceva il mare"],
        opening: [
          """
          Dopo l’ultima collina eccolo, il mare, più grande che in tutte le fotografie. Profumava di sale e di \
          lontananza. Le valigie erano appena a terra, e già {name} correva a piedi nudi fino al punto \
          preciso in cui la sabbia diventa scura.
          """
        ],
        wish: [
          """
          A casa qualcuno aveva parlato di conchiglie in cui il mare continua a mormorare, anche in una stanza, \
          anche d’inverno. Bisognava trovarne una, oggi, prima del tramonto. Passo dopo passo, {name} seguì la \
          lunga linea di schiuma.
          """
        ],
        trouble: [
          """
          Tra i sassi c’era la conchiglia più bella di tutte, a strisce come una caramella. Ma appena la mano \
          si avvicinò, se ne andò da sola. Dentro abitava un piccolo granchio con una chela! La marea l’aveva \
          lasciato in una conca, e lì l’acqua diventava tiepida e sempre meno.
          """
        ],
        help: [
          """
          Con due mani e una paletta {name} scavò un canale dalla conca fino al mare. Due volte la sabbia \
          scivolò giù, e due volte fu scavata di nuovo, più a fondo. Poi la prima onda trovò la strada. Il \
          granchio aspettò, alzò la chela come per salutare e si lasciò portare via.
          """
        ],
        end: [
          """
          Al posto del granchio restò un’altra conchiglia, grigia, semplice e vuota. Di strisce non ne aveva \
          nemmeno una. Ma accostata all’orecchio mandava un mormorio dolce e senza fine. Nella valigia con cui \
          {name} tornò a casa, viaggiò dentro un calzino.
          """
        ]),
    ],
    own: Tale(
      titles: ["{name} e «{event}»", "«{event}», una storia per {name}"],
      opening: [
        """
        Certi giorni, quando cominciano, somigliano a tutti gli altri. Il pane è in tavola, l’orologio fa \
        tic tac, e da qualche parte si chiude una porta. Così era quel mattino, eppure {name} capì subito che \
        giorno sarebbe stato: il giorno che si chiama «{event}».
        """
      ],
      wish: [
        """
        Tutto cominciò con un’idea, e l’idea diceva così: «{seed}» Con un’idea simile in testa non si riesce a \
        stare fermi. Perciò {name} infilò le scarpe, prima la sinistra, e partì per vedere che cosa ne sarebbe \
        venuto. La storia doveva avere un tono tutto suo: «{tone}».
        """
      ],
      trouble: [
        """
        All’inizio tutto andò da sé. Ma a metà strada il sentiero finì, senza neanche un cartello. Davanti \
        c’era un groviglio di domande, e nessuno in vista per rispondere. Sarebbe stato facile tornare \
        indietro. Su un palo un uccellino piegò la testa, come se aspettasse una decisione.
        """
      ],
      help: [
        """
        «Una cosa alla volta», disse {name} all’uccellino. La domanda più grossa fu divisa in piccole, e le \
        piccole non facevano più paura. Una si risolse guardando da vicino, una chiedendo con gentilezza, e \
        l’ultima ridendoci sopra. Dietro di loro continuava il sentiero, uguale a prima.
        """
      ],
      end: [
        """
        La sera ci fu molto da raccontare a tavola. «{event}» era diventato un giorno da ricordare, un po’ \
        diverso dal previsto, e migliore. L’uccellino del palo stava già sul davanzale, e {name} lasciò la \
        finestra aperta di una spanna.
        """
      ]),
    keywords: "Nel quaderno di quel giorno c’erano soltanto poche parole: {keywords}.",
    hero: [
      "Incontrando {name}, si notava presto {having}.",
      "Passare una giornata con {name} voleva dire trovare {having}.",
      "Se qualcuno cercava {having}, doveva chiamare {name}.",
    ],
    age: "A {age} anni si sanno già alcune cose e ci si meraviglia ancora di tutte le altre.",
    words: "Gli amici avevano parole tutte loro per dirlo: {words}.",
    gift: [
      "E c’era anche altro, scritto in una riga sulla prima pagina di un diario: «{gift}».",
      "Esisteva inoltre un dono speciale che non tutti conoscevano: «{gift}».",
      "C’era pure un segreto, ed era breve: «{gift}».",
    ],
    turn: [
      """
      Per un momento si sentì soltanto il battito di un cuore. Poi {name} fece un respiro profondo, e un altro \
      ancora. Se qualcosa poteva aiutare adesso, era {trait}.
      """,
      """
      A occhi chiusi, {name} contò piano fino a tre. All’uno c’era solo la preoccupazione, al due arrivò \
      un’idea, e al tre tornò {trait}, come una mano calda sulla spalla.
      """,
      """
      Un’altra persona forse avrebbe lasciato perdere. Ma {name} rimase lì e guardò la faccenda ancora una \
      volta da tutti i lati. A fare la differenza fu {trait}.
      """,
    ],
    giftTurn: [
      "E non c’era quella riga, «{gift}»? In un giorno così è bene ricordarsene.",
      "Com’era, quel dono? «{gift}». Non poteva esserci momento migliore.",
      "In silenzio anche il dono segreto si fece sentire, e tutto diventò un po’ più leggero.",
    ],
    close: [
      """
      Più tardi la luce si spense, e la notte posò la sua coperta morbida sui tetti. Tutto quello che c’era da \
      fare era fatto. Dormi bene, {name}, e dormite bene, voi che avete ascoltato.
      """,
      """
      Quando finalmente la finestra fu buia, sul cuscino c’era ancora un sorriso. Domani sarebbe stato un \
      altro giorno. Ma questo era completo, e {name} già sognava.
      """,
      """
      Così il giorno finì, piano, come una foglia che plana fino a terra. Le stelle presero il turno di \
      guardia. E nel letto? Lì dormiva {name}, al calduccio e senza un pensiero, fino al mattino.
      """,
    ],
    nouns: nouns([
      ("un buon cuore", "un buon cuore"), ("molto coraggio", "il coraggio"),
      ("una grande curiosità", "la curiosità"), ("una vera gentilezza", "la gentilezza"),
      ("molta pazienza", "la pazienza"), ("un bel senso dell’umorismo", "il senso dell’umorismo"),
      ("una fantasia vivace", "la fantasia"), ("una mente sveglia", "l’ingegno"),
      ("una voce calma", "la calma"), ("un’allegria contagiosa", "l’allegria"),
      ("molta perseveranza", "la perseveranza"), ("una grande generosità", "la generosità"),
      ("la voglia di avventura", "la voglia di avventura"),
      ("una sincerità limpida", "la sincerità"),
    ]),
    quotes: ("«", "»"), and: " e ",
    // A "d" keeps two equal vowels apart: "ed Emil", "ad Amira".
    euphony: { word, next in
      let vowel = ["e": "eèé", "a": "aàá"][word] ?? ""
      return next.lowercased().first.map(vowel.contains) == true ? word + "d" : nil
    })
}
